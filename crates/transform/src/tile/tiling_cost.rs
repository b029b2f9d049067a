//! What an instance costs in tiles of a shape: an estimate in cycles, by which shapes and sizes are compared.
//!
//! On one core an instance costs the larger of its computation and of what its time step brings in from the
//! cache in which a tile fits (both go on at the same time); its part of what a tile brings in from memory,
//! which is less the more time steps a place stays in the tile; and its part of entering an innermost loop.
//! Cores divide that as far as there are tiles that may run at one time. Each wave ends with all threads
//! waiting for each other.
//!
//! ```text
//! (max(compute, bytes / bandwidth of the cache) + bytes / bandwidth of memory / steps + entry / row) redundancy / cores in use
//!   + waves * barrier / instances
//! ```
//!
//! Costs only have to rank shapes. What a shape is like is said by [`Traits`], which [`crate::tile::tiling`]
//! has for each of them.
//!
//! *Source.* The terms are those that Wonnacott and Strout, "On the scalability of loop tiling techniques",
//! IMPACT 2013, name as what a choice depends on: scaling, redundancy, volume of a tile and vector loops; the
//! weights are measured.
use loopwright_machine::Machine;
use std::fmt;

/// Cycles of the computation of an instance in vectors: some additions and multiplications.
const COMPUTE_CYCLES: f64 = 1.0;

/// Cycles for a byte that streams in from a last level cache, and from memory.
const BYTE_CYCLES: [f64; 2] = [2.5 / 64.0, 8.5 / 64.0];

/// Cycles to enter and leave an innermost loop: its bounds, and iterations before and after the vector code.
const ENTRY_CYCLES: f64 = 40.0;

/// Cycles for waking all threads and waiting for the last one.
const BARRIER_CYCLES: f64 = 10_000.0;

/// The part of a cache that is counted on.
const USABLE_PART: f64 = 0.75;

/// Bytes that a place of the data has where nothing is known: two numbers.
const USUAL_BYTES: i64 = 16;

/// Values of a member whose extent is not known.
const USUAL_EXTENT: i64 = 1000;

/// What a band does, and where.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Values by member, nominally.
    pub extents: Vec<i64>,
    /// Bytes that statements access at one place of the data.
    pub bytes: i64,
    /// The machine.
    pub machine: Machine,
}

/// What tiles of a shape are like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traits {
    /// Time steps (values of the member that is time) that a place stays in a tile, on average.
    pub steps: f64,
    /// Places of the data that a tile has.
    pub places: f64,
    /// The length of innermost loops, on average.
    pub row: f64,
    /// Tiles that may run at one time.
    pub at_once: f64,
    /// How often all threads wait for each other.
    pub waves: f64,
    /// Executed instances by different ones.
    pub redundancy: f64,
}

/// What an instance costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TilingCost {
    /// Thousandths of a cycle for an instance, with all cores.
    pub millicycles: u64,
    /// Time steps that a place stays in a tile.
    pub steps: u64,
    /// The length of innermost loops.
    pub row: u64,
    /// Tiles that may run at one time.
    pub at_once: u64,
    /// How often all threads wait for each other.
    pub waves: u64,
}

impl Workload {
    /// A workload of which only the number of members is known, on a machine of which nothing is.
    pub fn nominal(n_members: usize) -> Self {
        Workload {
            extents: vec![USUAL_EXTENT; n_members],
            bytes: USUAL_BYTES,
            machine: Machine::generic(),
        }
    }

    /// The number of values of a member.
    pub fn extent(&self, member: usize) -> f64 {
        self.extents.get(member).copied().unwrap_or(USUAL_EXTENT).max(1) as f64
    }

    /// The greatest number of places whose data stay in the last level cache of a core.
    pub fn most_places(&self) -> f64 {
        let machine = &self.machine;
        let share = machine.l3_bytes as f64 / machine.l3_cores.max(1) as f64;
        USABLE_PART * share.max(machine.l2_bytes as f64) / self.bytes.max(1) as f64
    }

    /// What an instance costs in tiles that are like that.
    ///
    /// ```
    /// use loopwright_transform::tile::tiling_cost::{Traits, Workload};
    /// let work = Workload::nominal(3);
    /// let tube = Traits { steps: 32.0, places: 64e3, row: 1000.0, at_once: 15.0, waves: 32.0, redundancy: 1.0 };
    /// let short = Traits { row: 20.0, ..tube };
    /// let brief = Traits { steps: 2.0, ..tube };
    /// assert!(work.cost(&tube).millicycles < work.cost(&short).millicycles);
    /// assert!(work.cost(&tube).millicycles < work.cost(&brief).millicycles);
    /// ```
    pub fn cost(&self, traits: &Traits) -> TilingCost {
        let machine = &self.machine;
        let bytes = self.bytes.max(1) as f64;
        let [cached, memory] = BYTE_CYCLES.map(|cycles| cycles * bytes);
        let in_second_level = USABLE_PART * machine.l2_bytes as f64;
        let sweep = match traits.places {
            places if places * bytes <= in_second_level => 0.0,
            places if places <= self.most_places() => cached,
            _ => memory,
        };
        let alone = COMPUTE_CYCLES.max(sweep)
            + memory / traits.steps.max(1.0)
            + ENTRY_CYCLES / traits.row.max(1.0);
        let cores = machine.cores.max(1) as f64;
        let at_once = traits.at_once.max(1.0);
        let in_use = (at_once / (at_once / cores).ceil()).min(cores);
        let instances: f64 = (0..self.extents.len()).map(|member| self.extent(member)).product();
        let waiting = if cores > 1.0 { traits.waves * BARRIER_CYCLES / instances } else { 0.0 };
        let cycles = alone * traits.redundancy / in_use + waiting;
        let whole = |number: f64| number.round() as u64;
        TilingCost {
            millicycles: whole(cycles * 1000.0),
            steps: whole(traits.steps),
            row: whole(traits.row),
            at_once: whole(at_once),
            waves: whole(traits.waves),
        }
    }
}

impl fmt::Display for TilingCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TilingCost { millicycles, steps, row, at_once, waves } = self;
        write!(
            f,
            "about {}.{:0>2} cycles for an instance: {steps} time steps in a tile, rows of {row}, {at_once} tiles at a time, \
             {waves} waves",
            millicycles / 1000,
            millicycles % 1000 / 10
        )
    }
}
