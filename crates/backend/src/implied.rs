//! Conditions that need not be printed: parts that hold whatever the values of their names are, and parts
//! that the loops and conditions around imply.
//!
//! A loop's `c5 < min(n, c1 + 384)` at its first value `c1` asks for `c1 < n` and `c1 < c1 + 384`. The second
//! holds always, and the first wherever the loop over `c1` runs to `n`.
use crate::element_alias::row;
use crate::linear::Linear;
use loopwright_astgen::{AstExpr, ForLoop};
use loopwright_presburger::{
    Aff, BasicSet, Budget, Constraint, Error, Int, Name, Result, Row, Set,
};

/// Steps for one comparison: a few pivots in some 20 dimensions.
const STEPS: u64 = 100_000;

/// What holds at a place, over the parameters and the iterators around.
#[derive(Clone)]
pub(crate) struct Facts {
    known: Set,
    iterators: Vec<Name>,
}

impl Facts {
    /// What holds in front of a loop; none if that is not known.
    pub(crate) fn in_front_of(each: &ForLoop) -> Option<Facts> {
        let outside = each.entry.outside()?;
        let (known, iterators) = (outside.known().clone(), outside.iterators().to_vec());
        Some(Facts { known, iterators })
    }

    /// What holds under a condition, as far as its comparisons are of plain sums.
    ///
    /// # Errors
    /// Those of the operations on sets.
    pub(crate) fn under(&self, condition: &AstExpr) -> Result<Facts> {
        let mut facts = self.clone();
        for (lesser, greater, is_strict) in comparisons(condition) {
            if let Some(slack) = slack(lesser, greater, is_strict)
                && let Some(row) = row(&slack, &facts.known, &facts.iterators, 0)
            {
                facts.known = facts.known.intersect(&facts.half_space(row))?;
            }
        }
        Ok(facts)
    }

    fn half_space(&self, row: Row) -> Set {
        let constraint = Constraint { is_equality: false, row };
        let space = self.known.space().clone();
        Set::from_basic_set(BasicSet::universe(space).add_constraints(vec![constraint]))
    }

    /// Whether a form is less than another, or not greater.
    fn imply(&self, lesser: &AstExpr, greater: &AstExpr, is_strict: bool) -> Result<bool> {
        let Some(slack) = slack(lesser, greater, is_strict) else { return Ok(false) };
        let violated = Linear::from_int(Int::from(-1)).minus(&slack);
        match row(&violated, &self.known, &self.iterators, 0) {
            Some(row) => is_empty(&self.known.intersect(&self.half_space(row))?),
            None => Ok(false),
        }
    }
}

/// The comparisons that a conjunction makes: each holds if the conjunction does.
fn comparisons(condition: &AstExpr) -> Vec<(&AstExpr, &AstExpr, bool)> {
    match condition {
        AstExpr::And(parts) => parts.iter().flat_map(comparisons).collect(),
        AstExpr::Le(a, b) | AstExpr::Lt(a, b) => {
            let is_strict = matches!(condition, AstExpr::Lt(..));
            let greater = alternatives(b, true);
            let pairs = alternatives(a, false).into_iter();
            pairs.flat_map(|a| greater.iter().map(move |&b| (a, b, is_strict))).collect()
        }
        _ => Vec::new(),
    }
}

/// What is at least zero if a form is less than another, or not greater; none if they are no plain sums.
fn slack(lesser: &AstExpr, greater: &AstExpr, is_strict: bool) -> Option<Linear> {
    let difference = Linear::of(greater)?.minus(&Linear::of(lesser)?);
    Some(difference.minus(&Linear::from_int(Int::from(i64::from(is_strict)))))
}

/// Whether a form is known to be less than another, or not greater.
fn holds(
    lesser: &AstExpr,
    greater: &AstExpr,
    is_strict: bool,
    facts: Option<&Facts>,
) -> Result<bool> {
    match (slack(lesser, greater, is_strict), facts) {
        (None, _) => Ok(false),
        (Some(slack), _) if slack.as_int().is_some() => {
            Ok(slack.as_int().is_some_and(|slack| !slack.is_negative()))
        }
        (Some(_), Some(facts)) => facts.imply(lesser, greater, is_strict),
        (Some(_), None) => Ok(false),
    }
}

/// What has to be asked in front of a loop so that it runs at least once; none if it does.
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn runs(each: &ForLoop) -> Result<Option<AstExpr>> {
    if each.entry.always_runs()? {
        return Ok(None);
    }
    let facts = Facts::in_front_of(each);
    needed(&each.condition.with_left_side(&each.init), facts.as_ref())
}

/// A condition without the parts that hold anyway; none if nothing is left.
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn needed(condition: &AstExpr, facts: Option<&Facts>) -> Result<Option<AstExpr>> {
    use AstExpr::{And, Le, Lt};
    match condition {
        And(parts) => {
            let mut left = Vec::new();
            for part in parts {
                left.extend(needed(part, facts)?);
            }
            Ok((!left.is_empty()).then(|| AstExpr::and(left)))
        }
        Le(lesser, greater) | Lt(lesser, greater) => {
            let is_strict = matches!(condition, Lt(..));
            let (lesser, greater) = (alternatives(lesser, false), alternatives(greater, true));
            let mut open = Vec::new();
            for &a in &lesser {
                for &b in &greater {
                    if !holds(a, b, is_strict, facts)? {
                        open.push((a, b));
                    }
                }
            }
            if open.is_empty() {
                return Ok(None);
            }
            let left = lesser.into_iter().filter(|a| open.iter().any(|(other, _)| other == a));
            let right = greater.into_iter().filter(|b| open.iter().any(|(_, other)| other == b));
            let left = Box::new(AstExpr::max(left.cloned().collect()));
            let right = Box::new(AstExpr::min(right.cloned().collect()));
            Ok(Some(if is_strict { Lt(left, right) } else { Le(left, right) }))
        }
        other => Ok(Some(other.clone())),
    }
}

/// What an expression is the least of (or the greatest of); itself, if it is none.
fn alternatives(expression: &AstExpr, least: bool) -> Vec<&AstExpr> {
    match expression {
        AstExpr::Min(list) if least => list.iter().flat_map(|e| alternatives(e, true)).collect(),
        AstExpr::Max(list) if !least => list.iter().flat_map(|e| alternatives(e, false)).collect(),
        other => vec![other],
    }
}

/// How often something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Times {
    Once,
    AtMostOnce,
    Any,
}

/// How often a loop in steps of one runs from `start` on while the condition holds: the least of these
/// numbers, or never if that is negative. None if they are not all plain sums.
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn counts(
    start: &AstExpr,
    condition: &AstExpr,
    facts: Option<&Facts>,
) -> Result<Option<Vec<Linear>>> {
    let (bound, more) = match condition {
        AstExpr::Lt(_, bound) => (bound, 0),
        AstExpr::Le(_, bound) => (bound, 1),
        _ => return Ok(None),
    };
    let less = |a: &AstExpr, b: &AstExpr| holds(a, b, false, facts);
    let starts = without_dominated(alternatives(start, false), |a, b| less(a, b))?;
    let ends = without_dominated(alternatives(bound, true), |a, b| less(b, a))?;
    let mut counts = Vec::new();
    for end in ends {
        for start in &starts {
            let (Some(end), Some(start)) = (Linear::of(end), Linear::of(start)) else {
                return Ok(None);
            };
            counts.push(end.minus(&start).plus(&Linear::from_int(Int::from(more))));
        }
    }
    Ok(Some(counts))
}

/// The alternatives without those that never matter beside another one.
fn without_dominated(
    mut alternatives: Vec<&AstExpr>,
    is_dominated: impl Fn(&AstExpr, &AstExpr) -> Result<bool>,
) -> Result<Vec<&AstExpr>> {
    let mut position = 0;
    while position < alternatives.len() {
        let mut drops = false;
        for (other, by) in alternatives.iter().enumerate() {
            drops = drops || (other != position && is_dominated(alternatives[position], by)?);
        }
        match drops {
            true => drop(alternatives.remove(position)),
            false => position += 1,
        }
    }
    Ok(alternatives)
}

/// The vectors, by their lengths, that take a number of elements that is one of `counts` (any number, if
/// there are none): as many of the full length `widest` as fit, then of half of it and so on. Those that are
/// never needed are left out.
///
/// *Cost.* Three emptiness tests for each length and count.
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn vectors(
    counts: &[Linear],
    widest: i64,
    facts: Option<&Facts>,
) -> Result<Vec<(i64, Times)>> {
    let mut result = Vec::new();
    let mut lanes = widest;
    while lanes >= 1 {
        let full = lanes == widest;
        let mut found: Vec<Option<Times>> = Vec::with_capacity(counts.len());
        for count in counts {
            found.push(times(count, lanes, full, facts)?);
        }
        let unknown = if full { Times::Any } else { Times::AtMostOnce };
        match found.first() {
            Some(&first) if found.iter().all(|each| *each == first) => {
                result.extend(first.map(|times| (lanes, times)));
            }
            _ => result.push((lanes, unknown)),
        }
        lanes /= 2;
    }
    Ok(result)
}

/// How often vectors of `lanes` elements are needed; none if never. Those that are not of the full length
/// take what is left by those of twice their length.
fn times(count: &Linear, lanes: i64, full: bool, facts: Option<&Facts>) -> Result<Option<Times>> {
    let unknown = if full { Times::Any } else { Times::AtMostOnce };
    let (lanes, twice) = (Int::from(lanes), Int::from(2 * lanes));
    if let Some(count) = count.as_int() {
        let rest = if full { count.clone() } else { count.rem_euclid(&twice) };
        let has_vector = count.is_positive() && rest >= lanes;
        let times = if full && rest >= twice { Times::Any } else { Times::Once };
        return Ok(has_vector.then_some(times));
    }
    let Some(Facts { known, iterators }) = facts else { return Ok(Some(unknown)) };
    let Some(row) = row(count, known, iterators, 0) else { return Ok(Some(unknown)) };
    let count = Aff::from_row(known.space(), Vec::new(), row, Int::ONE);
    let rest = if full { count.clone() } else { count.modulo(&twice) };
    let is_nowhere = |sets: &[Set]| -> Result<bool> {
        let mut set = known.clone();
        for other in sets {
            set = set.intersect(other)?;
        }
        is_empty(&set)
    };
    let at_least = |form: &Aff, least: &Int| form.add_constant(&-least).nonneg_set();
    let less = |form: &Aff, bound: &Int| form.neg().add_constant(&(bound - &Int::ONE)).nonneg_set();
    if is_nowhere(&[count.positive_set(), at_least(&rest, &lanes)])? {
        return Ok(None);
    }
    let always = is_nowhere(&[less(&rest, &lanes)])? && is_nowhere(&[less(&count, &Int::ONE)])?;
    let is_once = always && (!full || is_nowhere(&[at_least(&rest, &twice)])?);
    Ok(Some(if is_once { Times::Once } else { unknown }))
}

fn is_empty(set: &Set) -> Result<bool> {
    match set.is_empty(&Budget::steps(STEPS)) {
        Err(Error::Exceeded { .. }) => Ok(false),
        answer => answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_astgen::{AstNode, Options, generate_from_map};
    use loopwright_presburger::UnionMap;

    fn id(name: &str) -> AstExpr {
        AstExpr::Id(name.into())
    }

    fn plus(name: &str, value: i64) -> AstExpr {
        AstExpr::Add(Box::new(id(name)), Box::new(AstExpr::int(value)))
    }

    /// The innermost loop over the elements of a tile of 32.
    fn loop_over_a_tile(context: &str) -> ForLoop {
        let schedule = "[n] -> { S[i] -> [32*floor(i/32), i] : 0 <= i < n }";
        let schedule = UnionMap::parse(schedule).expect("a schedule");
        let context = Set::parse(context).expect("a context");
        let (none, budget) = (UnionMap::empty(), Budget::steps(1_000_000));
        let ast = generate_from_map(&schedule, &context, &none, &Options::STANDARD, &budget);
        let AstNode::For(tiles) = ast.expect("code") else { panic!("a loop over tiles") };
        let AstNode::For(elements) = *tiles.body else { panic!("a loop over elements") };
        elements
    }

    #[test]
    fn what_holds_for_all_values_is_not_needed() {
        let end = AstExpr::Min(vec![id("n"), plus("c4", 8)]);
        let condition = AstExpr::Lt(Box::new(plus("c4", 7)), Box::new(end));
        let left = needed(&condition, None).expect("no limit").expect("a condition");
        assert_eq!(left.to_string(), "c4 + 7 < n");
        let constant = AstExpr::Le(Box::new(AstExpr::int(96)), Box::new(AstExpr::int(99)));
        assert_eq!(needed(&constant, None).expect("no limit"), None);
    }

    #[test]
    fn what_loops_around_imply_is_not_needed() {
        let elements = loop_over_a_tile("{ : }");
        assert_eq!(runs(&elements).expect("no limit"), None);
        let facts = Facts::in_front_of(&elements).expect("it has been generated");
        let beyond = AstExpr::Lt(Box::new(plus("c0", 4)), Box::new(id("n")));
        assert_eq!(needed(&beyond, Some(&facts)).expect("no limit"), Some(beyond.clone()));
        let under = facts.under(&beyond).expect("no limit");
        assert_eq!(needed(&beyond, Some(&under)).expect("no limit"), None);
    }

    #[test]
    fn vectors_for_what_there_is() {
        let number = |value: i64| vec![Linear::from_int(Int::from(value))];
        let of = |counts: &[Linear], facts| vectors(counts, 8, facts).expect("no limit");
        assert_eq!(of(&number(4), None), [(4, Times::Once)]);
        assert_eq!(of(&number(21), None), [(8, Times::Any), (4, Times::Once), (1, Times::Once)]);
        assert_eq!(of(&[], None).len(), 4);
        let facts = Facts::in_front_of(&loop_over_a_tile("[n] -> { : n mod 4 = 0 }"));
        let rest = Linear::from_name(&"n".into()).minus(&Linear::from_name(&"c0".into()));
        assert_eq!(of(&[rest], facts.as_ref()), [(8, Times::Any), (4, Times::AtMostOnce)]);
    }
}
