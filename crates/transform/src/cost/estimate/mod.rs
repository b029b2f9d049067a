//! What the code for a whole tree costs, by the model that chooses the sizes of tiles.
//!
//! [`crate::cost::footprint`] estimates one band; here the bands of a tree are put together, so that trees
//! with other bands can be compared: those of another rule of fusion. The lines and pages that are loaded are
//! counted by the same working sets, now over a tree of loops: data that several bands use is loaded once if
//! one run of all that stands between its uses fits in the store, and by each band if it does not. To that
//! comes the work of the points ([`points`]): in vectors or not, along memory or across it, waiting for
//! results or not; and threads: what runs in parallel is divided by the cores, and entering a parallel loop
//! costs the time of its barriers.
//!
//! Costs are in cycles of a core, and only have to rank trees.
mod points;

pub(crate) use points::{Points, Shape};

use crate::cost::footprint::{Store, TiledLoop, stores};
use loopwright_machine::Machine;
use loopwright_scop::ArrayId;
use points::Touched;
use std::collections::BTreeMap;

/// Cycles for waking and joining threads, about five microseconds.
const BARRIER_CYCLES: f64 = 15_000.0;

/// What the code for a tree is estimated to cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Cycles until the last core has ended.
    pub cycles: f64,
    /// The same where one core does everything.
    pub cycles_on_one_core: f64,
    /// By array, the cycles for loading what another band has loaded before: what sharing more loops can
    /// save.
    pub loaded_again: Vec<(ArrayId, f64)>,
    /// The bands with several statements, and how many cycles these would save in loops of their own at most.
    pub crowded: Vec<(Vec<String>, f64)>,
}

/// A band, or the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct CostNode {
    /// Its loops; members count from the root of the tree.
    pub(crate) loops: Vec<TiledLoop>,
    /// The values of its members.
    pub(crate) extents: Vec<i64>,
    /// How often a parallel loop of this band is entered.
    pub(crate) parallel_entries: f64,
    pub(crate) below: Below,
}

/// What a band has inside.
#[derive(Clone, Debug)]
pub(crate) enum Below {
    Parts(Vec<CostNode>),
    Points(Points),
}

impl Default for Below {
    fn default() -> Self {
        Below::Parts(Vec::new())
    }
}

/// The cycles for loads by array and band.
type Loads = BTreeMap<(usize, usize), f64>;

impl CostNode {
    /// The estimate for the tree that has this root.
    pub(crate) fn estimate(&self, machine: &Machine) -> Estimate {
        let loads = self.all_loads(machine);
        let cycles = loads.values().sum::<f64>() + self.work();
        Estimate {
            cycles,
            cycles_on_one_core: self.on_one_core().cycles(machine),
            loaded_again: loaded_again(&loads),
            crowded: self.crowded(machine),
        }
    }

    fn cycles(&self, machine: &Machine) -> f64 {
        self.all_loads(machine).values().sum::<f64>() + self.work()
    }

    /// The same loops without threads.
    fn on_one_core(&self) -> CostNode {
        let below = match &self.below {
            Below::Points(points) => Below::Points(points.on_one_core()),
            Below::Parts(parts) => Below::Parts(parts.iter().map(CostNode::on_one_core).collect()),
        };
        CostNode { parallel_entries: 0.0, below, ..self.clone() }
    }

    /// The cycles without waiting for memory.
    fn work(&self) -> f64 {
        let below: f64 = match &self.below {
            Below::Points(points) => points.cycles(),
            Below::Parts(parts) => parts.iter().map(CostNode::work).sum(),
        };
        below + self.parallel_entries * BARRIER_CYCLES
    }

    /// The cycles for what is loaded into any store.
    fn all_loads(&self, machine: &Machine) -> Loads {
        let mut loads = Loads::new();
        for store in stores(machine) {
            let all = self.touched(&[], 0, &store);
            match fits(&all, &store) {
                true => record(&all, 1.0, &store, &mut loads),
                false => self.loads(&[], 1.0, &store, &mut loads),
            }
        }
        loads
    }

    /// Adds the cycles for what is loaded into a store by `runs` of this part, where the members outside take
    /// `spans` values.
    fn loads(&self, spans: &[i64], runs: f64, store: &Store, loads: &mut Loads) {
        let mut level = [spans, &self.extents].concat();
        let mut runs = runs;
        for (position, each) in self.loops.iter().enumerate() {
            let whole = (level.clone(), runs);
            let span = level[each.member];
            let step = each.step.clamp(1, span.max(1));
            runs *= span as f64 / step as f64;
            level[each.member] = step;
            let is_last = position + 1 == self.loops.len();
            let is_innermost = is_last && matches!(self.below, Below::Points(_));
            if is_innermost || fits(&self.touched(&level, level.len(), store), store) {
                let (level, runs) = whole;
                return record(&self.touched(&level, level.len(), store), runs, store, loads);
            }
        }
        if let Below::Parts(parts) = &self.below {
            parts.iter().for_each(|part| part.loads(&level, runs, store, loads));
        }
    }

    /// What the points of this part touch while the first members take `level` values, of which `shared`
    /// belong to loops around all that is looked at.
    fn touched(&self, level: &[i64], shared: usize, store: &Store) -> Vec<Touched> {
        match &self.below {
            Below::Points(points) => points.touched(level, shared, store),
            Below::Parts(parts) => {
                let mut all: Vec<Touched> = Vec::new();
                for part in parts {
                    let inside = [level, &part.extents].concat();
                    for touched in part.touched(&inside, shared, store) {
                        match all.iter_mut().find(|known| known.is_same(&touched)) {
                            Some(known) => known.weight = known.weight.max(touched.weight),
                            None => all.push(touched),
                        }
                    }
                }
                all
            }
        }
    }

    /// Calls `visit` with all points, and the loops and extents around them from the root.
    fn for_each_points(
        &self,
        loops: &mut Vec<TiledLoop>,
        extents: &mut Vec<i64>,
        visit: &mut impl FnMut(&[TiledLoop], &[i64], &Points),
    ) {
        let (n_loops, n_extents) = (loops.len(), extents.len());
        loops.extend(&self.loops);
        extents.extend(&self.extents);
        match &self.below {
            Below::Points(points) => visit(loops, extents, points),
            Below::Parts(parts) => {
                parts.iter().for_each(|part| part.for_each_points(loops, extents, visit));
            }
        }
        loops.truncate(n_loops);
        extents.truncate(n_extents);
    }

    /// The bands with several statements that would be faster apart if each could run in vectors and in
    /// parallel.
    fn crowded(&self, machine: &Machine) -> Vec<(Vec<String>, f64)> {
        let mut crowded = Vec::new();
        self.for_each_points(&mut Vec::new(), &mut Vec::new(), &mut |loops, extents, points| {
            let alone = points.apart(machine);
            if alone.len() < 2 {
                return;
            }
            let cost = |points: Points| -> f64 {
                let (loops, extents) = (loops.to_vec(), extents.to_vec());
                let below = Below::Points(points);
                CostNode { loops, extents, below, ..CostNode::default() }.cycles(machine)
            };
            let names = alone.iter().map(|(name, _)| name.clone()).collect();
            let apart: f64 = alone.into_iter().map(|(_, points)| cost(points)).sum();
            crowded.push((names, cost(points.clone()) - apart));
        });
        crowded
    }
}

fn fits(touched: &[Touched], store: &Store) -> bool {
    let units: f64 = touched.iter().map(|touched| touched.units).sum();
    units <= store.capacity && touched.iter().all(|touched| touched.finds_places)
}

fn record(touched: &[Touched], runs: f64, store: &Store, loads: &mut Loads) {
    for each in touched {
        let cycles = runs * each.units * each.weight * store.cycles;
        *loads.entry((each.array, each.band)).or_default() += cycles;
    }
}

/// By array, the cycles in all bands but the one that loads most of it.
fn loaded_again(loads: &Loads) -> Vec<(ArrayId, f64)> {
    let mut by_array: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for ((array, _), &cycles) in loads {
        let (sum, most) = by_array.entry(*array).or_default();
        *sum += cycles;
        *most = most.max(cycles);
    }
    let again = by_array.into_iter().map(|(array, (sum, most))| {
        u32::try_from(array).ok().map(|array| (ArrayId(array), sum - most))
    });
    again.flatten().collect()
}
