//! Waves of a tile graph: what can run at one time, and how long that takes.
use crate::scalability::tile_graph::TileGraph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How many tiles are in each wave of a schedule with a barrier after every wave.
///
/// ```
/// use loopwright_transform::scalability::waves::Widths;
/// let widths = Widths(vec![1, 2, 3, 2, 1]);
/// assert_eq!((widths.n_tiles(), widths.greatest()), (9, 3));
/// assert_eq!(widths.makespan(2), 6, "the third wave takes two rounds");
/// assert_eq!(widths.n_full(2), 7);
/// assert_eq!((widths.n_filling(2), widths.n_draining(2)), (1, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widths(pub Vec<u64>);

impl Widths {
    /// The number of waves, which is that of barriers.
    #[must_use]
    pub fn n_waves(&self) -> usize {
        self.0.len()
    }

    /// The number of tiles.
    #[must_use]
    pub fn n_tiles(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The number of tiles of the widest wave.
    #[must_use]
    pub fn greatest(&self) -> u64 {
        self.0.iter().copied().max().unwrap_or(0)
    }

    /// The time on so many processors (none counts as one), in times of one tile: no tile starts before the
    /// waves before are done.
    #[must_use]
    pub fn makespan(&self, processors: u64) -> u64 {
        self.0.iter().map(|width| width.div_ceil(processors.max(1))).sum()
    }

    /// The number of tiles in waves that have work for all of so many processors.
    #[must_use]
    pub fn n_full(&self, processors: u64) -> u64 {
        self.0.iter().filter(|width| **width >= processors).sum()
    }

    /// The number of waves before the first one that has work for all processors: all of them if none has.
    #[must_use]
    pub fn n_filling(&self, processors: u64) -> usize {
        self.0.iter().take_while(|width| **width < processors).count()
    }

    /// The number of waves after the last one that has work for all processors: all of them if none has.
    #[must_use]
    pub fn n_draining(&self, processors: u64) -> usize {
        self.0.iter().rev().take_while(|width| **width < processors).count()
    }
}

/// The tiles of a graph in waves.
#[derive(Clone, Debug)]
pub struct Waves {
    /// The wave of each tile, from 0: the number of tiles on the longest path before it.
    pub of_tile: Vec<usize>,
    /// The number of tiles of each wave.
    pub widths: Widths,
    /// The greatest number of instances on a path: the time without limit on processors, in times of one
    /// instance.
    pub work_span: u64,
}

impl Waves {
    /// The waves of a graph; none if it has a circle.
    pub(crate) fn new(graph: &TileGraph) -> Option<Waves> {
        let order = topological_order(&graph.successors)?;
        let mut of_tile = vec![0; graph.n_tiles()];
        let mut started = vec![0; graph.n_tiles()];
        let mut work_span = 0;
        for &tile in &order {
            let done = started[tile] + graph.weights[tile];
            work_span = work_span.max(done);
            for &next in &graph.successors[tile] {
                of_tile[next] = of_tile[next].max(of_tile[tile] + 1);
                started[next] = started[next].max(done);
            }
        }
        let mut widths = vec![0; of_tile.iter().max().map_or(0, |last| last + 1)];
        of_tile.iter().for_each(|&wave| widths[wave] += 1);
        Some(Waves { of_tile, widths: Widths(widths), work_span })
    }
}

/// The tiles in an order in which each comes after those that it waits for; none if there is a circle (Kahn,
/// 1962).
fn topological_order(successors: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut n_before = vec![0usize; successors.len()];
    successors.iter().flatten().for_each(|&next| n_before[next] += 1);
    let mut order: Vec<usize> = (0..successors.len()).filter(|&tile| n_before[tile] == 0).collect();
    let mut position = 0;
    while let Some(&tile) = order.get(position) {
        position += 1;
        for &next in &successors[tile] {
            n_before[next] -= 1;
            if n_before[next] == 0 {
                order.push(next);
            }
        }
    }
    (order.len() == successors.len()).then_some(order)
}

impl TileGraph {
    /// The time on so many processors without barriers, in times of one instance: each free processor takes
    /// the tile, among those that wait for nothing, with the most work on a path behind it. None if tiles
    /// wait in a circle.
    ///
    /// A list schedule, so at most twice the best one (Graham, 1969).
    ///
    /// ```
    /// use loopwright_presburger::{Budget, UnionMap};
    /// use loopwright_transform::scalability::tile_graph::TileGraph;
    /// let tiles = UnionMap::parse("{ S[i] -> [floor(i/4)] : 0 <= i < 20 }")?;
    /// let graph = TileGraph::new(&UnionMap::empty(), &tiles, 100, &Budget::unlimited())?;
    /// assert_eq!(graph.list_makespan(2), Some(12), "five tiles of four instances");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* `n log n` for `n` tiles, and linear in the edges.
    #[must_use]
    pub fn list_makespan(&self, processors: u64) -> Option<u64> {
        let behind = self.work_behind()?;
        let mut n_before = vec![0usize; self.n_tiles()];
        self.successors.iter().flatten().for_each(|&next| n_before[next] += 1);
        let is_free = |tile: &usize| n_before[*tile] == 0;
        let mut free: BinaryHeap<(u64, Reverse<usize>)> =
            (0..self.n_tiles()).filter(is_free).map(|t| (behind[t], Reverse(t))).collect();
        let mut running: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
        let mut now = 0;
        loop {
            while (running.len() as u64) < processors.max(1) {
                let Some((_, Reverse(tile))) = free.pop() else { break };
                running.push(Reverse((now + self.weights[tile], tile)));
            }
            let Some(Reverse((done, tile))) = running.pop() else { return Some(now) };
            now = done;
            for &next in &self.successors[tile] {
                n_before[next] -= 1;
                if n_before[next] == 0 {
                    free.push((behind[next], Reverse(next)));
                }
            }
        }
    }

    /// For each tile, the most instances on a path that begins with it.
    fn work_behind(&self) -> Option<Vec<u64>> {
        let order = topological_order(&self.successors)?;
        let mut behind = self.weights.clone();
        for &tile in order.iter().rev() {
            let most = self.successors[tile].iter().map(|&next| behind[next]).max();
            behind[tile] += most.unwrap_or(0);
        }
        Some(behind)
    }
}
