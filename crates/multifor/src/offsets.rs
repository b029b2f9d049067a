//! The smallest legal offsets of a multifor statement for a given sequential order.
//!
//! For a pair of instances of nests `a` and `b` that has to stay in order, let `d` be the places of the
//! second less those of the first without offsets. The order is kept if `d + o_b - o_a` is lexicographically
//! positive, or zero where the turn at a point already has it. Level by level from the outside, the least
//! value of `d` gives a difference constraint `o_b - o_a >= -min d` (section 2.3 of Lamport's "The parallel
//! execution of DO loops", 1974, has the idea for one nest); the least offsets are longest paths (Bellman,
//! "On a routing problem", 1958). Pairs whose places become equal are those that matter at the level inside.
//! Where a level has no solution, the pairs that it is about are put in order at the level around instead.
use crate::error::MultiforError;
use crate::legality::{Orders, ViolatedPair};
use crate::multifor::{Level, Multifor};
use crate::order::{constant_map, turns};
use loopwright_cfront::Code;
use loopwright_presburger::{Budget, DimKind, Error, Int, Map, Optimum, Result, Set};
use std::collections::BTreeSet;

/// What offsets are searched.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// The least values that are allowed, for each level and loop.
    pub(crate) least: Vec<Vec<i64>>,
    /// The number of outer levels at a point of which bodies of different loops may be executed by different
    /// threads; none if they are executed in turn.
    pub(crate) parallel: Option<usize>,
}

/// Pairs of two nests that have to stay in order.
struct Distance {
    /// The nests.
    from: usize,
    to: usize,
    /// The numbers of the levels around both, from the outside in.
    levels: Vec<usize>,
    /// Places of the second less those of the first, without offsets.
    differences: Set,
    /// Whether a pair at one point is in order.
    tie_is_ordered: bool,
    example: Option<ViolatedPair>,
}

/// The distances of all pairs that have to stay in order.
fn distances(orders: &Orders<'_>, search: &Search) -> Result<Vec<Distance>> {
    let mut found = Vec::new();
    let multifor = orders.multifor;
    for conflict in &orders.conflicts {
        let kept = orders.kept(conflict)?;
        let (from, to) = (orders.nest(conflict.first), orders.nest(conflict.second));
        if from == to || kept.is_empty(orders.budget)? {
            continue;
        }
        let body =
            |id: loopwright_scop::StatementId| orders.model.body_of[id.0 as usize].unwrap_or(0);
        let (first, second) = (body(conflict.first), body(conflict.second));
        let (mut levels, mut tie_is_ordered) = common_levels(multifor, first, second);
        if let Some(n_levels) = search.parallel {
            levels.truncate(n_levels);
            tie_is_ordered = tie_is_ordered && levels.len() < n_levels;
        }
        let place = |statement, body| without_offsets(orders, statement, body, levels.len());
        let (source, sink) = (place(conflict.first, first)?, place(conflict.second, second)?);
        let pairs = source.reverse().apply_range_within(&kept, orders.budget)?;
        let differences = pairs.apply_range_within(&sink, orders.budget)?.deltas()?;
        let example = orders.pair(conflict, &kept)?;
        found.push(Distance { from, to, levels, differences, tie_is_ordered, example });
    }
    Ok(found)
}

/// The numbers of the levels around two bodies, and whether the first is executed first at a point of all of
/// them.
fn common_levels(multifor: &Multifor, first: usize, second: usize) -> (Vec<usize>, bool) {
    let (a, b) = (turns(multifor, first), turns(multifor, second));
    let mut levels = Vec::new();
    let mut level: &Level = &multifor.root;
    for (one, other) in a.iter().zip(&b) {
        levels.push(level.number);
        if one != other {
            return (levels, one < other);
        }
        match level.phases.get(one.0) {
            Some(crate::multifor::Phase::Inner(inner)) => level = inner,
            _ => break,
        }
    }
    (levels, first < second)
}

/// The places of the instances of a statement without offsets, at the outer levels.
fn without_offsets(
    orders: &Orders<'_>,
    id: loopwright_scop::StatementId,
    body: usize,
    n_levels: usize,
) -> Result<Map> {
    let multifor = orders.multifor;
    let own = &multifor.bodies[body];
    let mut all = constant_map(own.domain.space(), 0);
    for (each, n) in own.loops.iter().zip(&own.iterations).take(n_levels) {
        let place = n.scale(&each.grain.into()).to_map();
        all = all.flat_range_product_within(&place, orders.budget)?;
    }
    // The constant in front is only there so that there is something to begin with.
    let all = all.project_out(DimKind::Out, 0, 1);
    let statement = orders.model.region.scop.statement(id);
    orders.model.on_statement(multifor, statement, body, &all, orders.budget)
}

/// The least offsets that keep the order, for each level and loop; the outermost level counts first.
///
/// *Cost.* Linear programs over the integers, as many as there are pairs of accesses and levels, a few times.
///
/// # Errors
/// A pair that no offsets keep in order; limits.
pub(crate) fn smallest_offsets(
    orders: &Orders<'_>,
    search: &Search,
) -> std::result::Result<Vec<Vec<i64>>, MultiforError> {
    let start = orders.multifor.syntax.start;
    let of_sets = |error: Error| MultiforError::of_sets(start, &error);
    let distances = distances(orders, search).map_err(of_sets)?;
    let mut solver = Solver {
        distances: &distances,
        search,
        strict: BTreeSet::new(),
        budget: orders.budget,
        n_nests: orders.multifor.syntax.loops.len(),
    };
    loop {
        match solver.attempt().map_err(of_sets)? {
            Attempt::Solved(offsets) => return Ok(offsets),
            Attempt::Strict(more) => {
                let before = solver.strict.len();
                solver.strict.extend(more);
                if solver.strict.len() == before {
                    return Err(impossible(start, None));
                }
            }
            Attempt::Impossible(distance) => {
                return Err(impossible(start, distances[distance].example.as_ref()));
            }
        }
    }
}

fn impossible(start: usize, example: Option<&ViolatedPair>) -> MultiforError {
    let message = "no constant offsets keep the order of the sequential program";
    let error = MultiforError::new(Code::UnsupportedStatement, start, message);
    match example {
        Some(pair) => error.because(format!(
            "these have to stay in order: ({}) and ({}), which both access `{}`",
            pair.source, pair.sink, pair.array
        )),
        None => error,
    }
}

enum Attempt {
    Solved(Vec<Vec<i64>>),
    /// These distances have to be positive at these depths.
    Strict(Vec<(usize, usize)>),
    Impossible(usize),
}

struct Solver<'a> {
    distances: &'a [Distance],
    search: &'a Search,
    /// Distances, and the depths at which they have to be positive.
    strict: BTreeSet<(usize, usize)>,
    budget: &'a Budget,
    n_nests: usize,
}

/// `o_to - o_from >= least`, because of a distance.
struct Difference {
    distance: usize,
    level: usize,
    least: i64,
}

impl Solver<'_> {
    /// Solves level by level.
    fn attempt(&self) -> Result<Attempt> {
        let mut offsets = self.search.least.clone();
        let mut open: Vec<(usize, Set)> =
            self.distances.iter().map(|each| each.differences.clone()).enumerate().collect();
        let n_depths = self.distances.iter().map(|each| each.levels.len()).max().unwrap_or(0);
        for (distance, set) in &open {
            let each = &self.distances[*distance];
            if each.levels.is_empty() && !each.tie_is_ordered && !set.is_empty(self.budget)? {
                return Ok(Attempt::Impossible(*distance));
            }
        }
        for depth in 0..n_depths {
            let mut differences = Vec::new();
            for (distance, set) in &open {
                let each = &self.distances[*distance];
                let Some(level) = each.levels.get(depth).copied() else { continue };
                match self.least(*distance, set, depth)? {
                    None => {}
                    Some(Some(least)) => {
                        differences.push(Difference { distance: *distance, level, least });
                    }
                    Some(None) => return Ok(self.around(&[*distance], depth)),
                }
            }
            if let Some(cycle) = self.longest_paths(&differences, &mut offsets) {
                return Ok(self.around(&cycle, depth));
            }
            open = self.equal_at(open, depth, &offsets)?;
        }
        Ok(Attempt::Solved(offsets))
    }

    /// The least difference of offsets that a distance needs at a depth: none if there are no pairs left, and
    /// none inside if no difference is enough.
    fn least(&self, distance: usize, set: &Set, depth: usize) -> Result<Option<Option<i64>>> {
        let each = &self.distances[distance];
        let is_last = depth + 1 == each.levels.len();
        let is_strict = self.strict.contains(&(distance, depth)) || is_last && !each.tie_is_ordered;
        Ok(match set.dim_min_val(DimKind::Out, depth, self.budget)? {
            Optimum::Empty => None,
            Optimum::Unbounded => Some(None),
            Optimum::At(value) => {
                let value = value.to_i64();
                Some(value.and_then(|value| value.checked_neg()?.checked_add(is_strict.into())))
            }
        })
    }

    /// What to do about distances for which there is no solution at a depth.
    fn around(&self, distances: &[usize], depth: usize) -> Attempt {
        match depth.checked_sub(1) {
            Some(outer) => Attempt::Strict(distances.iter().map(|each| (*each, outer)).collect()),
            None => Attempt::Impossible(distances[0]),
        }
    }

    /// Raises offsets until all differences are large enough; the distances of a cycle if that never happens.
    fn longest_paths(
        &self,
        differences: &[Difference],
        offsets: &mut [Vec<i64>],
    ) -> Option<Vec<usize>> {
        for round in 0..=self.n_nests {
            let mut changed = Vec::new();
            for Difference { distance, level, least } in differences {
                let each = &self.distances[*distance];
                let wanted = offsets[*level][each.from].saturating_add(*least);
                if offsets[*level][each.to] < wanted {
                    offsets[*level][each.to] = wanted;
                    changed.push(*distance);
                }
            }
            if changed.is_empty() {
                return None;
            }
            if round == self.n_nests {
                return Some(changed);
            }
        }
        None
    }

    /// The pairs that are at the same place at a depth, too.
    fn equal_at(
        &self,
        open: Vec<(usize, Set)>,
        depth: usize,
        offsets: &[Vec<i64>],
    ) -> Result<Vec<(usize, Set)>> {
        let mut left = Vec::new();
        for (distance, set) in open {
            let each = &self.distances[distance];
            let Some(level) = each.levels.get(depth) else { continue };
            let difference = offsets[*level][each.from] - offsets[*level][each.to];
            let equal = set.fix(DimKind::Out, depth, &Int::from(difference));
            if !equal.is_empty(self.budget)? {
                left.push((distance, equal));
            }
        }
        Ok(left)
    }
}
