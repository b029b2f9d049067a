//! Tile sizes by the model of footprints: those with the least estimated cycles.
//!
//! The estimate ([`crate::cost::footprint`]) counts lines and pages of every reference; here tiles at
//! the border that are not full and cores without work are added to it, and the sizes are searched.
use crate::cost::footprint::{Footprint, TiledLoop};
use crate::cost::nest::Nest;
use crate::tile::rectangular::{DEFAULT_TILE, DEFAULT_VECTOR_TILE};
use loopwright_machine::Machine;
use loopwright_scop::Scop;

/// Sizes that are tried for a loop.
const CANDIDATES: [i64; 11] = [8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512];

/// Bands with at most so many loops get the best combination of these sizes.
const MOST_LOOPS: usize = 3;

/// Tiles per core of a loop that runs in parallel, at least: they need not have equal work.
const TILES_PER_CORE: i64 = 4;

/// The innermost loop gets at least this many vectors: shorter ones do not get into their stride.
const LEAST_VECTORS: i64 = 4;

/// Sizes that are better by less than this part are not worth leaving those found before.
const LEAST_GAIN: f64 = 0.02;

/// Rounds of improving one size after the other, at most.
const ROUNDS: usize = 4;

/// What is known about a band that is to be tiled.
#[derive(Clone, Debug)]
pub struct TileProblem<'a> {
    footprint: Footprint,
    /// The order of the point loops: positions of members.
    order: &'a [usize],
    /// Whether the outermost tile loop that may run in parallel does so, and which one that is.
    parallel: Option<usize>,
    machine: &'a Machine,
    /// The least size of the innermost loop.
    least_innermost: i64,
}

impl<'a> TileProblem<'a> {
    /// For a band whose points run in this order, innermost last, and whose tile loop `parallel`, if
    /// there is one, runs in parallel and outermost.
    pub fn new(
        nest: &Nest,
        order: &'a [usize],
        parallel: Option<usize>,
        scop: &Scop,
        machine: &'a Machine,
    ) -> Self {
        let footprint = Footprint::new(nest, scop);
        let lanes = i64::try_from(machine.vector_bytes / 8).unwrap_or(1).max(1);
        let least_innermost = lanes.saturating_mul(LEAST_VECTORS);
        TileProblem { footprint, order, parallel, machine, least_innermost }
    }

    /// The sizes per member that are found.
    ///
    /// Up to three loops get the best combination of the sizes that are tried. For more, the search
    /// starts at [`DEFAULT_TILE`] and [`DEFAULT_VECTOR_TILE`] and improves one size after the other,
    /// until none can be improved alone. Sizes that are not clearly better than these are not taken.
    ///
    /// Cost: at most about a thousand estimates of some microseconds.
    pub fn sizes(&self) -> Vec<i64> {
        let usual: Vec<i64> = (0..self.order.len()).map(|member| self.usual(member)).collect();
        let found = match usual.len() {
            ..=MOST_LOOPS => self.best_combination(),
            _ => self.improved(usual.clone()),
        };
        let is_better = self.cycles(&found) < self.cycles(&usual) * (1.0 - LEAST_GAIN);
        if is_better { found } else { usual }
    }

    /// The size of a member without a model.
    fn usual(&self, member: usize) -> i64 {
        if self.order.last() == Some(&member) { DEFAULT_VECTOR_TILE } else { DEFAULT_TILE }
    }

    fn best_combination(&self) -> Vec<i64> {
        let mut combinations = vec![Vec::new()];
        for member in 0..self.order.len() {
            let longer = |sizes: Vec<i64>| {
                let append = move |size| [&sizes[..], &[size]].concat();
                self.candidates(member).into_iter().map(append)
            };
            combinations = combinations.into_iter().flat_map(longer).collect();
        }
        let costs = combinations.into_iter().map(|sizes| (self.cycles(&sizes), sizes));
        costs.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, sizes)| sizes).unwrap_or_default()
    }

    /// The sizes after one member after the other has got its best size.
    fn improved(&self, mut sizes: Vec<i64>) -> Vec<i64> {
        for _ in 0..ROUNDS {
            let before = sizes.clone();
            for member in 0..sizes.len() {
                let changed = |size| {
                    let mut changed = sizes.clone();
                    changed[member] = size;
                    (self.cycles(&changed), changed)
                };
                let choices = self.candidates(member).into_iter().map(changed);
                if let Some((cost, best)) = choices.min_by(|(a, _), (b, _)| a.total_cmp(b))
                    && cost < self.cycles(&sizes)
                {
                    sizes = best;
                }
            }
            if sizes == before {
                break;
            }
        }
        sizes
    }

    /// The sizes that are tried for a member: all shorter ones than its loop, or the usual one.
    fn candidates(&self, member: usize) -> Vec<i64> {
        let is_innermost = self.order.last() == Some(&member);
        let least = if is_innermost { self.least_innermost } else { 1 };
        let extent = self.footprint.extents()[member];
        let most = match self.parallel == Some(member) {
            true => extent / self.cores().saturating_mul(TILES_PER_CORE),
            false => extent.saturating_sub(1),
        };
        let fits = |size: &i64| (least..=most).contains(size);
        let fitting: Vec<i64> = CANDIDATES.into_iter().filter(fits).collect();
        if fitting.is_empty() { vec![self.usual(member)] } else { fitting }
    }

    /// The estimated cycles with tiles of these sizes, of the core that is last to end.
    pub fn cycles(&self, sizes: &[i64]) -> f64 {
        let mut loops: Vec<TiledLoop> = Vec::with_capacity(2 * sizes.len());
        let first = self.parallel.into_iter();
        let others = (0..sizes.len()).filter(|&member| Some(member) != self.parallel);
        loops.extend(first.chain(others).map(|member| TiledLoop { member, step: sizes[member] }));
        loops.extend(self.order.iter().map(|&member| TiledLoop { member, step: 1 }));
        self.footprint.cycles(&loops, self.machine) * self.imbalance(sizes)
    }

    fn cores(&self) -> i64 {
        i64::try_from(self.machine.cores).unwrap_or(i64::MAX).max(1)
    }

    /// How much longer the core that is last to end runs than all would if they had equal work.
    fn imbalance(&self, sizes: &[i64]) -> f64 {
        let Some(member) = self.parallel else { return 1.0 };
        let extent = self.footprint.extents()[member].max(1);
        let cores = self.cores();
        let tiles = extent.saturating_add(sizes[member] - 1) / sizes[member].max(1);
        let rounds = (tiles as f64 / cores as f64).ceil();
        let longest = rounds * sizes[member] as f64;
        (longest.min(extent as f64) * cores as f64 / extent as f64).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem<'a>(order: &'a [usize], machine: &'a Machine) -> TileProblem<'a> {
        let footprint = Footprint::of_product([1000, 1100, 1200]);
        TileProblem { footprint, order, parallel: Some(0), machine, least_innermost: 16 }
    }

    /// Improving one size after the other ends in the neighbourhood of the best combination.
    #[test]
    fn both_searches_agree_roughly() {
        let small = Machine { l1_bytes: 16 << 10, l2_bytes: 128 << 10, ..Machine::generic() };
        for machine in [Machine::generic(), small] {
            for order in [[0, 2, 1], [0, 1, 2], [2, 0, 1]] {
                let problem = problem(&order, &machine);
                let best = problem.cycles(&problem.best_combination());
                let usual: Vec<i64> = (0..3).map(|member| problem.usual(member)).collect();
                let improved = problem.cycles(&problem.improved(usual.clone()));
                assert!(best <= improved && improved <= problem.cycles(&usual), "{order:?}");
                assert!(improved <= 2.5 * best, "{order:?}: {improved} for {best}");
                assert!(problem.cycles(&problem.sizes()) <= best * 1.021, "{order:?}");
            }
        }
    }

    #[test]
    fn cores_get_equal_parts() {
        let machine = Machine { cores: 4, ..Machine::generic() };
        let problem = problem(&[0, 2, 1], &machine);
        assert_eq!(problem.imbalance(&[1000, 1, 1]), 4.0, "one core does it all");
        assert_eq!(problem.imbalance(&[250, 1, 1]), 1.0);
        assert_eq!(problem.imbalance(&[300, 1, 1]), 1.2, "three tiles of 300 and one of 100");
        let sizes = problem.sizes();
        assert!(problem.imbalance(&sizes) < 1.2, "{sizes:?}");
    }
}
