//! How much work one entry of a parallel loop has, as an expression for OpenMP's `if` clause.
//!
//! A parallel loop inside of a sequential one is entered many times. Whether waking the threads pays depends
//! on values that are only known at run time, so the program decides: the number of innermost iterations,
//! estimated by the product of the trip counts of the deepest chain of loops, is compared with
//! [`MINIMUM_WORK`]. A trip count that grows with the iterator of a loop around, inside of the parallel one,
//! counts with its mean, so the product is exact for triangles and trapezia.
//!
//! Tiles on diagonals have bounds that vary with everything, and a tile's size says nothing about arrays that
//! are smaller than it. There the product of the extents that loops over points have in all tiles together
//! (`c4 - 1 + n <= c6`, `c4 <= c6`: `n`) is compared, which is at least the work of an entry.
use crate::linear::Linear;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::Name;
use std::collections::BTreeMap;

/// Innermost iterations per entry below which a parallel loop runs on one thread. Waking and
/// joining threads costs about 5 µs; vectorised innermost iterations take less than a cycle each
/// (a matrix-vector product of 160 by 160 must stay sequential).
const MINIMUM_WORK: i64 = 200_000;

/// The assumed trip count of a loop whose bounds vary inside the parallel loop in another way.
const ASSUMED_TRIP_COUNT: i64 = 32;

/// When a parallel loop is worth its overhead.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    /// Always or never, independent of run-time values.
    Known(bool),
    /// If this C expression holds.
    If(String),
}

/// When `parallel` is worth waking threads each time it is entered; `lower` renames iterators.
pub(crate) fn worth(parallel: &ForLoop, lower: &mut dyn FnMut(&AstExpr) -> AstExpr) -> Worth {
    let mut work = Work { constant: 1, divisor: 1, factors: Vec::new() };
    multiply(parallel, &mut Vec::new(), &mut work);
    let least = MINIMUM_WORK.saturating_mul(work.divisor) / work.constant.max(1);
    if work.factors.is_empty() && least > 1 {
        return Worth::Known(false);
    }
    let work = match work.factors.is_empty() {
        true => most_work(parallel),
        false => work,
    };
    if work.factors.is_empty() {
        return Worth::Known(true);
    }
    let least = MINIMUM_WORK.saturating_mul(work.divisor) / work.constant.max(1);
    let factor_text = |factor: &AstExpr| match lower(factor) {
        AstExpr::Id(name) => name.to_string(),
        other => format!("({other})"),
    };
    let factors: Vec<String> = work.factors.iter().map(factor_text).collect();
    Worth::If(format!("(double) {} > {least}", factors.join(" * ")))
}

/// An upper bound on the work of an entry, from bounds that do not move with the loops inside of it: those of
/// loops over tiles are left to the loops over points, whose extents have those of all tiles as parts.
fn most_work(parallel: &ForLoop) -> Work {
    let mut work = Work { constant: 1, divisor: 1, factors: Vec::new() };
    let mut iterators = vec![parallel.iterator.clone()];
    let mut each = parallel;
    loop {
        match most_trips(each, &iterators) {
            Some(count) => work.times(count, 1),
            None => {
                work.times(trip_count(each, &iterators).unwrap_or(Linear::from_int(1.into())), 1)
            }
        }
        let inside = deepest_loops(&each.body);
        let Some(next) = inside.into_iter().max_by_key(|next| step(next)) else { return work };
        iterators.push(next.iterator.clone());
        each = next;
    }
}

/// A number of values that a loop has at most while the loops outside stand still: a constant from bounds
/// that do not move with `inner` iterators, or a difference in which these cancel.
fn most_trips(each: &ForLoop, inner: &[Name]) -> Option<Linear> {
    let moves = |form: &Linear| inner.iter().any(|iterator| form.terms.contains_key(iterator));
    let mut differences = Vec::new();
    for (low, high, difference) in trip_counts(each) {
        if difference.as_int().is_some() && !moves(&low) && !moves(&high) {
            return Some(difference);
        }
        differences.push(difference);
    }
    differences.into_iter().find(|count| count.as_int().is_none() && !moves(count))
}

/// `constant / divisor * factors`.
struct Work {
    constant: i64,
    divisor: i64,
    factors: Vec<AstExpr>,
}

impl Work {
    fn times(&mut self, count: Linear, step: i64) {
        match count.as_int() {
            Some(count) => {
                let count = count.to_i64().unwrap_or(i64::MAX);
                self.constant = self.constant.saturating_mul((count / step).max(1));
            }
            None => {
                self.divisor = self.divisor.saturating_mul(step);
                self.factors.push(count.to_expression());
            }
        }
    }
}

/// Multiplies by the trip counts of a loop and of the deepest loops inside. Innermost loops that
/// follow each other count with the sum; of others the one with the largest steps counts, since loops with
/// small ones do what these leave.
fn multiply<'a>(each: &'a ForLoop, around: &mut Vec<&'a ForLoop>, work: &mut Work) {
    let own_step = step(each);
    let mut inner: Vec<Name> = around.iter().map(|other| other.iterator.clone()).collect();
    match (trip_count(each, &inner), twice_mean_trip_count(each, around)) {
        (Some(count), _) => work.times(count, own_step),
        (None, Some(twice)) => work.times(twice, own_step.saturating_mul(2)),
        (None, None) => work.times(Linear::from_int(ASSUMED_TRIP_COUNT.into()), 1),
    }
    inner.push(each.iterator.clone());
    around.push(each);
    let deepest = deepest_loops(&each.body);
    if let Some(total) = innermost_total(&deepest, &inner) {
        work.times(total, 1);
    } else if let Some(next) = deepest.iter().max_by_key(|next| step(next)) {
        multiply(next, around, work);
    } else {
        work.times(Linear::from_int(copies(&each.body).into()), 1);
    }
}

/// Twice the mean of a trip count over the values of the iterator of one of the loops around, which it grows
/// or shrinks with: its value in the middle. Together with the trip count of that loop it makes the exact
/// number of iterations, where no trip count is negative.
fn twice_mean_trip_count(each: &ForLoop, around: &[&ForLoop]) -> Option<Linear> {
    let [(_, _, count)] = &trip_counts(each)[..] else { return None };
    let moves = |form: &Linear, other: &ForLoop| form.terms.contains_key(&other.iterator);
    let mut with = around.iter().filter(|other| moves(count, other));
    let (Some(other), None) = (with.next(), with.next()) else { return None };
    let [(low, _, values)] = &trip_counts(other)[..] else { return None };
    let stands = |form: &Linear| !around.iter().any(|other| moves(form, other));
    // In a tetrahedron the counts of two loops have to do with each other.
    let mut between = around.iter().filter(|each| each.iterator != other.iterator);
    let is_used =
        between.any(|each| trip_counts(each).iter().any(|(_, _, form)| moves(form, other)));
    if is_used || step(other) > 1 || !stands(low) || !stands(values) {
        return None;
    }
    let ends = low.plus(low).plus(values).minus(&Linear::from_int(1.into()));
    let coefficient = count.coefficient(&other.iterator);
    let rest = count.with(&other.iterator, &Linear::default());
    Some(rest.scaled(&2.into()).plus(&ends.scaled(&coefficient)))
}

/// How often a body without loops runs one statement, at most: several times if it is unrolled.
fn copies(body: &AstNode) -> i64 {
    fn count<'a>(node: &'a AstNode, calls: &mut BTreeMap<Option<&'a Name>, i64>) {
        match node {
            AstNode::User { statement, .. } => {
                *calls.entry(statement.output().and_then(|tuple| tuple.name())).or_default() += 1;
            }
            AstNode::Block(children) => children.iter().for_each(|child| count(child, calls)),
            AstNode::Mark { child, .. } => count(child, calls),
            AstNode::For(_) | AstNode::If { .. } => {}
        }
    }
    let mut calls = BTreeMap::new();
    count(body, &mut calls);
    calls.into_values().max().unwrap_or(1)
}

/// The step of loops over tiles of variable sizes in estimates.
const USUAL_TILE: i64 = 32;

fn step(each: &ForLoop) -> i64 {
    match each.multiples_of {
        Some(_) => USUAL_TILE,
        None => each.increment.to_i64().unwrap_or(1).max(1),
    }
}

/// The sum of the trip counts of several innermost loops with step 1; none if that is not what
/// they are, or a count is not known.
fn innermost_total(loops: &[&ForLoop], inner: &[Name]) -> Option<Linear> {
    if loops.len() < 2 {
        return None;
    }
    let mut total = Linear::default();
    for each in loops {
        if depth(each) > 1 || step(each) > 1 {
            return None;
        }
        total = total.plus(&trip_count(each, inner)?.scaled(&copies(&each.body).into()));
    }
    Some(total)
}

/// The loops directly below a node (through blocks and conditions) with the most loops inside.
fn deepest_loops(node: &AstNode) -> Vec<&ForLoop> {
    match node {
        AstNode::For(each) => vec![each],
        AstNode::Block(children) => most_nested(children.iter().flat_map(deepest_loops).collect()),
        AstNode::If { then, otherwise, .. } => {
            let otherwise = otherwise.as_deref().map(deepest_loops).unwrap_or_default();
            most_nested(deepest_loops(then).into_iter().chain(otherwise).collect())
        }
        AstNode::Mark { child, .. } => deepest_loops(child),
        AstNode::User { .. } => Vec::new(),
    }
}

fn most_nested(loops: Vec<&ForLoop>) -> Vec<&ForLoop> {
    let most = loops.iter().map(|each| depth(each)).max();
    loops.into_iter().filter(|each| Some(depth(each)) == most).collect()
}

fn depth(each: &ForLoop) -> usize {
    1 + deepest_loops(&each.body).first().map_or(0, |inner| depth(inner))
}

/// The difference of an upper and a lower bound that does not use `inner` iterators; a constant if
/// there is one.
fn trip_count(each: &ForLoop, inner: &[Name]) -> Option<Linear> {
    let counts = || trip_counts(each).into_iter().map(|(_, _, difference)| difference);
    let is_known =
        |count: &Linear| inner.iter().all(|iterator| !count.terms.contains_key(iterator));
    let constant = counts().find(|count| count.as_int().is_some());
    constant.or_else(|| counts().find(is_known))
}

/// The lower and upper bounds, and how many values are between them.
fn trip_counts(each: &ForLoop) -> Vec<(Linear, Linear, Linear)> {
    let (upper, offset) = match &each.condition {
        AstExpr::Lt(_, upper) => (alternatives(upper), 0),
        AstExpr::Le(_, upper) => (alternatives(upper), 1),
        _ => return Vec::new(),
    };
    let offset = Linear::from_int(offset.into());
    let lower: Vec<Linear> = alternatives(&each.init).iter().filter_map(about).collect();
    let mut counts = Vec::new();
    for high in upper.iter().filter_map(about) {
        let count = |low: &Linear| (low.clone(), high.clone(), high.minus(low).plus(&offset));
        counts.extend(lower.iter().map(count));
    }
    counts
}

/// The value of a bound, about: multiples of a number that are next to a value count as that value.
fn about(bound: &AstExpr) -> Option<Linear> {
    match bound {
        AstExpr::Add(a, b) => Some(about(a)?.plus(&about(b)?)),
        AstExpr::Sub(a, b) => Some(about(a)?.minus(&about(b)?)),
        AstExpr::Mul(a, b) => match (&**a, &**b) {
            (
                AstExpr::Int(factor),
                AstExpr::DivFloor(value, divisor) | AstExpr::DivNonneg(value, divisor),
            ) if **divisor == AstExpr::Int(factor.clone()) => about(value),
            _ => Linear::of(bound),
        },
        _ => Linear::of(bound),
    }
}

fn alternatives(bound: &AstExpr) -> Vec<AstExpr> {
    match bound {
        AstExpr::Min(list) | AstExpr::Max(list) => list.iter().flat_map(alternatives).collect(),
        other => vec![other.clone()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_presburger::Int;

    fn for_loop(iterator: &str, init: AstExpr, end: AstExpr, step: i64, body: AstNode) -> ForLoop {
        let id = Box::new(AstExpr::Id(iterator.into()));
        ForLoop {
            iterator: iterator.into(),
            init,
            condition: AstExpr::Lt(id, Box::new(end)),
            increment: Int::from(step),
            body: Box::new(body),
            degenerate: false,
            coincident: true,
            multiples_of: None,
            annotation: None,
            dimension: 0,
            entry: loopwright_astgen::Entry::default(),
        }
    }

    fn id(name: &str) -> AstExpr {
        AstExpr::Id(name.into())
    }

    /// `for c2 < np step 256 { for c3 < np { for c4 = c2 .. min(np, c2 + 256) } }`
    #[test]
    fn tile_and_point_loops_multiply_to_the_whole_extent() {
        let end = AstExpr::Add(Box::new(id("c2")), Box::new(AstExpr::int(256)));
        let end = AstExpr::Min(vec![id("np"), end]);
        let point = for_loop("c4", id("c2"), end, 1, AstNode::Block(Vec::new()));
        let middle = for_loop("c3", AstExpr::int(0), id("np"), 1, AstNode::For(point));
        let tile = for_loop("c2", AstExpr::int(0), id("np"), 256, AstNode::For(middle));
        assert_eq!(
            worth(&tile, &mut AstExpr::clone),
            Worth::If("(double) np * np > 200000".to_string())
        );
    }

    /// `for c1 < n { for c2 < k {} for k + 1 <= c2 < n {} }`
    #[test]
    fn innermost_loops_after_each_other_count_together() {
        let nothing = || AstNode::Block(Vec::new());
        let first = for_loop("c2", AstExpr::int(0), id("k"), 1, nothing());
        let begin = AstExpr::Add(Box::new(id("k")), Box::new(AstExpr::int(1)));
        let second = for_loop("c3", begin, id("n"), 1, nothing());
        let body = AstNode::Block(vec![AstNode::For(first), nothing(), AstNode::For(second)]);
        let both = for_loop("c1", AstExpr::int(0), id("n"), 1, body);
        assert_eq!(
            worth(&both, &mut AstExpr::clone),
            Worth::If("(double) n * (n - 1) > 200000".to_string())
        );
    }

    /// `for c0 < 4 { for c1 < n step 8 { for c2 < m } for c3 < k { for c4 < 7 } }`
    #[test]
    fn loops_over_the_rest_do_not_count() {
        let nothing = || AstNode::Block(Vec::new());
        let rest = for_loop(
            "c3",
            AstExpr::int(0),
            id("k"),
            1,
            AstNode::For(for_loop("c4", AstExpr::int(0), AstExpr::int(7), 1, nothing())),
        );
        let strip = for_loop(
            "c1",
            AstExpr::int(0),
            id("n"),
            8,
            AstNode::For(for_loop("c2", AstExpr::int(0), id("m"), 1, nothing())),
        );
        let both = AstNode::Block(vec![AstNode::For(strip), AstNode::For(rest)]);
        let chunks = for_loop("c0", AstExpr::int(0), AstExpr::int(4), 1, both);
        assert_eq!(
            worth(&chunks, &mut AstExpr::clone),
            Worth::If("(double) n * m > 400000".to_string())
        );
    }

    /// `for c1 = 256 * ((c0 + 1) / 256) .. n step 256 { for c2 < m { for c3 = max(c0 + 1, c1) .. min(n, c1 + 256) } }`
    #[test]
    fn tiles_that_begin_at_multiples_count_from_there() {
        let quotient = AstExpr::DivNonneg(Box::new(plus("c0", 1)), Box::new(AstExpr::int(256)));
        let begin = AstExpr::Mul(Box::new(AstExpr::int(256)), Box::new(quotient));
        let first = AstExpr::Max(vec![plus("c0", 1), id("c1")]);
        let end = AstExpr::Min(vec![id("n"), plus("c1", 256)]);
        let point = for_loop("c3", first, end, 1, AstNode::Block(Vec::new()));
        let middle = for_loop("c2", AstExpr::int(0), id("m"), 1, AstNode::For(point));
        let tile = for_loop("c1", begin, id("n"), 256, AstNode::For(middle));
        assert_eq!(
            worth(&tile, &mut AstExpr::clone),
            Worth::If("(double) (n - c0 - 1) * m > 200000".to_string())
        );
    }

    /// `for c1 = max(c0, ..) { for c2 = max(64 * c1, c0) ..= min(64 * c1 + 63, c0 + n - 2) }`: at most
    /// `n - 1` values.
    #[test]
    fn tiles_of_small_arrays_have_little_work() {
        let tile = || AstExpr::Mul(Box::new(AstExpr::int(4096)), Box::new(id("c1")));
        let end = AstExpr::Add(Box::new(tile()), Box::new(AstExpr::int(4096)));
        let last = AstExpr::Add(Box::new(id("c0")), Box::new(plus("n", -1)));
        let first = AstExpr::Max(vec![tile(), id("c0")]);
        let end = AstExpr::Min(vec![end, last]);
        let point = for_loop("c2", first, end, 1, AstNode::Block(Vec::new()));
        let time = for_loop("c3", AstExpr::int(0), AstExpr::int(8), 1, AstNode::For(point));
        let unknown = AstExpr::DivFloor(Box::new(plus("n", 60)), Box::new(AstExpr::int(4096)));
        let tiles = for_loop("c1", AstExpr::int(0), unknown, 1, AstNode::For(time));
        assert_eq!(
            worth(&tiles, &mut AstExpr::clone),
            Worth::If("(double) (n - 1) > 25000".to_string())
        );
    }

    fn plus(name: &str, by: i64) -> AstExpr {
        AstExpr::Add(Box::new(id(name)), Box::new(AstExpr::int(by)))
    }

    /// `for c1 = c0 + 1 .. n { for c2 = c0 + 1 .. c1 + 1 }`
    #[test]
    fn triangles_have_half_of_the_work() {
        let nothing = || AstNode::Block(Vec::new());
        let columns = for_loop("c2", plus("c0", 1), plus("c1", 1), 1, nothing());
        let rows = for_loop("c1", plus("c0", 1), id("n"), 1, AstNode::For(columns));
        assert_eq!(
            worth(&rows, &mut AstExpr::clone),
            Worth::If("(double) (n - c0 - 1) * (n - c0) > 400000".to_string())
        );
        // The rest of each row, in steps: n - 1 - c1 values.
        let columns = for_loop("c2", plus("c1", 1), id("n"), 4, nothing());
        let rows = for_loop("c1", id("c0"), id("n"), 1, AstNode::For(columns));
        assert_eq!(
            worth(&rows, &mut AstExpr::clone),
            Worth::If("(double) (n - c0) * (n - c0 - 1) > 1600000".to_string())
        );
    }

    /// Counts by the formula against counting, for triangles and trapezia with constant bounds.
    #[test]
    fn work_of_triangles_is_that_of_enumeration() {
        for (low, high, by, first, last) in
            [(0, 9, 1, 0, 1), (3, 20, 2, 1, 5), (0, 12, -1, 0, 30), (2, 30, 3, -5, 0)]
        {
            let bound = |at: i64| by * at + last;
            let end = AstExpr::Add(
                Box::new(AstExpr::Mul(Box::new(AstExpr::int(by)), Box::new(id("c1")))),
                Box::new(AstExpr::int(last)),
            );
            let nothing = AstNode::Block(Vec::new());
            let columns = for_loop("c2", AstExpr::int(first), end, 1, nothing);
            let rows = for_loop(
                "c1",
                AstExpr::int(low),
                AstExpr::int(high),
                1,
                AstNode::For(columns.clone()),
            );
            let twice = twice_mean_trip_count(&columns, &[&rows]).unwrap();
            let all: i64 = (low..high).map(|at| bound(at) - first).sum();
            assert_eq!(twice.scaled(&(high - low).into()).as_int(), Some(&Int::from(2 * all)));
        }
    }

    /// `for c1 < n { for c2 < c1 { for c3 < c1 } }`: no product of means.
    #[test]
    fn tetrahedra_are_assumed() {
        let nothing = || AstNode::Block(Vec::new());
        let inside = for_loop("c3", AstExpr::int(0), id("c1"), 1, nothing());
        let middle = for_loop("c2", AstExpr::int(0), id("c1"), 1, AstNode::For(inside));
        let rows = for_loop("c1", AstExpr::int(0), id("n"), 1, AstNode::For(middle));
        assert_eq!(
            worth(&rows, &mut AstExpr::clone),
            Worth::If("(double) n * (n - 1) > 12500".to_string())
        );
    }

    #[test]
    fn constant_trip_counts_are_decided_at_once() {
        let few = for_loop("c0", AstExpr::int(0), AstExpr::int(10), 1, AstNode::Block(Vec::new()));
        assert_eq!(worth(&few, &mut AstExpr::clone), Worth::Known(false));
        let end = AstExpr::int(10_000_000);
        let many = for_loop("c0", AstExpr::int(0), end, 1, AstNode::Block(Vec::new()));
        assert_eq!(worth(&many, &mut AstExpr::clone), Worth::Known(true));
    }
}
