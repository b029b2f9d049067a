//! How evenly threads share the iterations of a parallel loop.
//!
//! The work of an iteration is the number of its instances times their operations, counted for all iterations
//! at given sizes. Shares follow from it for three ways to give iterations to threads. Times of a loop inside
//! of others add up over the iterations of these, since threads wait for each other at the end of each.
use crate::operations::{StatementAmounts, operations_of_an_instance};
use crate::sizes::Sizes;
use loopwright_presburger::{Budget, DimKind, Int, Map, PwQPolynomial, Result, UnionMap};
use loopwright_schedule::{LoopKind, LoopMark, Node, Reaching, ScheduleTree};
use std::collections::{BTreeMap, BTreeSet};

/// The most iterations whose work is counted one by one.
const MOST_ITERATIONS: usize = 50_000;

/// The iterations of the loops around in which a loop is looked at, evenly apart.
const MOST_AROUND: usize = 12;

/// Steps for the work of a statement in the iterations of a loop, and for their enumeration.
const STEPS: u64 = 2_000_000;

/// The largest share of a thread over the mean of all: 1 is perfect, the number of threads is the worst.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// For blocks of as many iterations for each thread (`schedule(static)`).
    pub blocks: f64,
    /// For iterations that go to the next free thread (`schedule(dynamic)`).
    pub in_turn: f64,
    /// For blocks of as much work for each thread, as far as whole iterations allow.
    pub equal: f64,
}

/// The work of the iterations of a parallel loop.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopBalance {
    /// The statements inside.
    pub statements: Vec<String>,
    /// The loops around.
    pub depth: usize,
    /// The iterations, over all iterations of the loops around that are looked at.
    pub iterations: usize,
    /// The iterations of the loops around that are looked at, of how many; 1 of 1 if there are none.
    pub around: (usize, usize),
    /// The operations of the smallest and of the largest iteration.
    pub work: (f64, f64),
    /// The threads that share them.
    pub threads: u64,
    /// Their shares.
    pub shares: Shares,
}

/// The outermost parallel loops of a tree at given sizes, with the operations of its statements; each
/// statement counts as one operation at least. Loops of which sizes do not tell the iterations, or that have
/// too many, are left out.
pub(crate) fn parallel_loops(
    tree: &ScheduleTree,
    statements: &[StatementAmounts],
    sizes: &Sizes,
    threads: u64,
) -> Vec<LoopBalance> {
    let mut paths = Vec::new();
    bands_on_threads(&tree.root, false, &mut Vec::new(), &mut paths);
    let of = |path: &Vec<usize>| of_loop(tree, path, statements, sizes, threads).ok().flatten();
    paths.iter().filter_map(of).collect()
}

/// The paths of the outermost bands whose first member runs on several threads.
fn bands_on_threads(
    node: &Node,
    is_marked: bool,
    path: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    if is_marked && matches!(node, Node::Band(..)) {
        return found.push(path.clone());
    }
    let marks = match node {
        Node::Mark(name, _) => {
            LoopMark::parse(name).is_some_and(|mark| mark.kind == LoopKind::Parallel)
        }
        _ => false,
    };
    for (position, child) in node.children().iter().enumerate() {
        path.push(position);
        bands_on_threads(child, marks, path, found);
        path.pop();
    }
}

fn of_loop(
    tree: &ScheduleTree,
    path: &[usize],
    statements: &[StatementAmounts],
    sizes: &Sizes,
    threads: u64,
) -> Result<Option<LoopBalance>> {
    let Some(Node::Band(band, _)) = tree.at(path) else { return Ok(None) };
    let first = if band.n_members() > 1 { band.split(1).0 } else { band.clone() };
    let reaching = Reaching::at(tree, path)?;
    let inside = reaching.descend(&Node::band(first, Node::Leaf), 0)?;
    let mut work: BTreeMap<Vec<Int>, f64> = BTreeMap::new();
    let mut names = Vec::new();
    let Some(around) = Around::of(&reaching.prefix_schedule()?, sizes)? else { return Ok(None) };
    for map in inside.prefix_schedule()?.maps() {
        let Some(name) = map.space().input().and_then(|tuple| tuple.name()) else { continue };
        let Some(amounts) = statements.iter().find(|known| *known.name == **name) else {
            // Statements that the compiler adds (they fill panels) are not counted.
            continue;
        };
        let Some(fixed) = fixed(map, sizes) else { return Ok(None) };
        names.push(name.to_string());
        for chosen in &around.chosen {
            let operations = operations_of_an_instance(amounts).max(1) as f64;
            add_work(&mut work, &within(&fixed, chosen), operations)?;
        }
    }
    let counts = (around.chosen.len(), around.n_all);
    Ok(balance(work, counts, names, threads)
        .map(|balance| LoopBalance { depth: reaching.depth(), ..balance }))
}

/// Iterations of the loops around.
struct Around {
    chosen: Vec<Vec<Int>>,
    n_all: usize,
}

impl Around {
    /// Some of them, evenly apart; none if sizes do not tell.
    fn of(prefix: &UnionMap, sizes: &Sizes) -> Result<Option<Around>> {
        let mut all: BTreeSet<Vec<Int>> = BTreeSet::new();
        for map in prefix.maps() {
            let Some(fixed) = fixed(map, sizes) else { return Ok(None) };
            all.extend(fixed.range().points(MOST_ITERATIONS, &Budget::steps(STEPS))?);
        }
        let (n_all, n_chosen) = (all.len(), all.len().min(MOST_AROUND));
        let positions: BTreeSet<usize> =
            (0..n_chosen).map(|k| (2 * k + 1) * n_all / (2 * n_chosen)).collect();
        let chosen = all.into_iter().enumerate().filter(|(at, _)| positions.contains(at));
        Ok(Some(Around { chosen: chosen.map(|(_, point)| point).collect(), n_all }))
    }
}

/// The relation for an iteration of the loops around.
fn within(map: &Map, around: &[Int]) -> Map {
    let values = around.iter().enumerate();
    values.fold(map.clone(), |map, (at, value)| map.fix(DimKind::Out, at, value))
}

/// The relation with the parameters at their values.
fn fixed(map: &Map, sizes: &Sizes) -> Option<Map> {
    let values = sizes.point(map.space())?;
    let values = values.iter().enumerate();
    let fixed = values.fold(map.clone(), |map, (at, value)| map.fix(DimKind::Param, at, value));
    let n = fixed.n(DimKind::Param);
    Some(fixed.project_out(DimKind::Param, 0, n))
}

/// Adds the work of a statement to the iterations that it is in.
fn add_work(work: &mut BTreeMap<Vec<Int>, f64>, map: &Map, operations: f64) -> Result<()> {
    let budget = Budget::steps(STEPS);
    let inside: PwQPolynomial = map.reverse().card(&budget)?;
    for iteration in map.range().points(MOST_ITERATIONS, &budget)? {
        let instances = inside.eval(&iteration, &budget)?;
        let instances = instances.to_int().and_then(|value| value.to_i64()).unwrap_or(0);
        *work.entry(iteration).or_default() += instances as f64 * operations;
    }
    Ok(())
}

/// The shares of threads; the last coordinate of an iteration is that of the loop.
fn balance(
    work: BTreeMap<Vec<Int>, f64>,
    around: (usize, usize),
    statements: Vec<String>,
    threads: u64,
) -> Option<LoopBalance> {
    let iterations = work.len();
    let mut runs: BTreeMap<Vec<Int>, Vec<f64>> = BTreeMap::new();
    for (iteration, operations) in work {
        let outside = iteration[..iteration.len().saturating_sub(1)].to_vec();
        runs.entry(outside).or_default().push(operations);
    }
    let all = || runs.values().flatten().copied();
    let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
    let total: f64 = all().sum();
    let mean = total / threads.max(1) as f64;
    if mean <= 0.0 {
        return None;
    }
    let threads_here = usize::try_from(threads.max(1)).ok()?;
    let over_mean = |largest: fn(&[f64], usize) -> f64| {
        runs.values().map(|run| largest(run, threads_here)).sum::<f64>() / mean
    };
    let shares = Shares {
        blocks: over_mean(largest_block),
        in_turn: over_mean(largest_in_turn),
        equal: over_mean(largest_equal),
    };
    let (threads, work) = (threads.max(1), (least, most));
    Some(LoopBalance { statements, depth: 0, iterations, around, work, threads, shares })
}

/// The largest of blocks of as many iterations each; the first ones have one more where they do not divide.
fn largest_block(work: &[f64], threads: usize) -> f64 {
    let (size, rest) = (work.len() / threads, work.len() % threads);
    let mut start = 0;
    let mut largest: f64 = 0.0;
    for thread in 0..threads {
        let end = start + size + usize::from(thread < rest);
        largest = largest.max(work[start..end].iter().sum());
        start = end;
    }
    largest
}

/// The largest share if each iteration in turn goes to the thread that is free first.
fn largest_in_turn(work: &[f64], threads: usize) -> f64 {
    let mut shares = vec![0.0; threads];
    for operations in work {
        if let Some(free) = shares.iter_mut().min_by(|a: &&mut f64, b| a.total_cmp(b)) {
            *free += operations;
        }
    }
    shares.into_iter().fold(0.0, f64::max)
}

/// The largest of blocks between the first iterations at which the work so far is a whole number of shares.
fn largest_equal(work: &[f64], threads: usize) -> f64 {
    let total: f64 = work.iter().sum();
    let mut shares = vec![0.0; threads];
    let mut before = 0.0;
    for operations in work {
        // The thread in whose share the middle of the iteration lies.
        let middle = before + operations / 2.0;
        let thread = (middle / total * threads as f64) as usize;
        shares[thread.min(threads - 1)] += operations;
        before += operations;
    }
    shares.into_iter().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_in_blocks_is_uneven() {
        let triangle: Vec<f64> = (1..=1000).map(f64::from).collect();
        let total: f64 = triangle.iter().sum();
        let over_mean = |largest: f64, threads: f64| largest * threads / total;
        assert!((over_mean(largest_block(&triangle, 2), 2.0) - 1.5).abs() < 0.01);
        assert!((over_mean(largest_block(&triangle, 4), 4.0) - 1.75).abs() < 0.01);
        assert!(over_mean(largest_in_turn(&triangle, 4), 4.0) < 1.01);
        assert!(over_mean(largest_equal(&triangle, 4), 4.0) < 1.01);
    }

    #[test]
    fn few_iterations_leave_threads_without_any() {
        assert_eq!(largest_block(&[5.0], 4), 5.0);
        assert_eq!(largest_block(&[1.0, 2.0, 4.0], 2), 4.0);
        assert_eq!(largest_in_turn(&[1.0, 2.0, 4.0], 2), 5.0);
        assert_eq!(largest_equal(&[1.0, 2.0, 4.0], 2), 4.0);
    }
}
