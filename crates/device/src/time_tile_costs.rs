//! What a time step of a stencil costs on a device: one state per launch, and in overlapped tiles of several
//! steps; and the sizes of tiles that cost least.
//!
//! One state per launch moves the elements of all arrays for each statement, since no cache holds them from
//! one launch to the next, and pays a launch for each kernel. A tile of `tau` steps and extents `sigma`
//! moves, for one launch,
//!
//! ```text
//!     product of (sigma_k + a_k tau) places in, product of sigma_k places out
//! ```
//!
//! where `a_k` is by how much it grows per step along a dimension, on both sides together. Places around its
//! block are read by its neighbours, too, at about the same time, and come from the cache that all
//! multiprocessors share. Between them it computes
//!
//! ```text
//!     sum over s < tau and statements S of the product of (sigma_k + a_k s + c_k(S))
//! ```
//!
//! instances on memory that the threads of a block share. A multiprocessor reads as many bytes in a cycle as
//! its banks have, from that memory and from its cache, and its pipelines begin a number of operations: the
//! longer of both counts, and the memory of the device if that takes longer still. Blocks are dealt out to
//! multiprocessors one by one. Between two statements the threads of a block wait for each other: at least so
//! many cycles pass for one block, in which others of the same multiprocessor work, as many of them as find
//! shared memory there.
//!
//! The rule is that of the literature: time tiles pay where repeated work is cheaper than memory (Holewinski,
//! Pouchet, Sadayappan, "High-performance code generation for stencil computations on GPU architectures", ICS
//! 2012). No time on a device stands behind the constants yet.
use crate::occupancy::{BlockNeeds, Occupancy};
use loopwright_machine::Device;

/// Bytes that a bank hands out in a cycle.
const BANK_BYTES: f64 = 4.0;

/// Cycles until a thread has computed an instance from shared memory: three loads, and some operations one
/// after the other.
pub(crate) const INSTANCE_CYCLES: f64 = 120.0;

/// Cycles that a barrier takes.
pub(crate) const BARRIER_CYCLES: f64 = 40.0;

/// What bytes from the cache that all multiprocessors share take of the time of bytes from memory.
pub(crate) const CACHED: f64 = 0.5;

/// Threads of a block: half of what most devices allow, so that others work where one waits.
const MOST_THREADS: i64 = 512;

/// Registers of a thread in a tile, as nvcc 13 needs for the stencils of PolyBench.
pub(crate) const REGISTERS: u64 = 48;

/// Elements to which rows of shared arrays are rounded up.
const ROW: i64 = 8;

/// Steps of a tile that are tried, and extents along the fastest dimension and the others, for so many
/// dimensions of data.
struct Candidates {
    steps: &'static [i64],
    rows: &'static [i64],
    others: &'static [i64],
}

const CANDIDATES: [Candidates; 3] = [
    Candidates { steps: &[2, 4, 8, 16, 32, 64], rows: &[128, 256, 512, 1024], others: &[] },
    Candidates { steps: &[1, 2, 3, 4, 6, 8], rows: &[32, 64, 128], others: &[8, 16, 32] },
    Candidates { steps: &[1, 2, 3, 4], rows: &[16, 32], others: &[4, 8, 16] },
];

/// A loop over time around statements that compute all places of some data from their neighbours.
#[derive(Clone, Debug, PartialEq)]
pub struct Stencil {
    /// Places along each dimension of the data, the slowest first; assumed ones where sizes are symbolic.
    pub extents: Vec<i64>,
    /// Kernels that are launched for each step, without tiles over time.
    pub launches: u64,
    /// What is computed in a step.
    pub statements: Vec<StencilStatement>,
    /// The arrays that a tile has.
    pub arrays: Vec<StencilArray>,
    /// By how much tiles grow from a step to the one before, along each dimension, on both sides together.
    pub per_step: Vec<i64>,
}

/// A statement of a stencil.
#[derive(Clone, Debug, PartialEq)]
pub struct StencilStatement {
    /// Bytes of memory that an instance reads and writes, if elements that neighbours need as well are read
    /// once.
    pub bytes: u64,
    /// Bytes of its accesses.
    pub accessed_bytes: u64,
    /// Those of memory for arrays that the stencil does not write, which tiles do not have for themselves.
    pub outside_bytes: u64,
    /// Operations on floating point numbers.
    pub operations: u64,
    /// By how much its instances reach beyond the block of a tile in the last step, along each dimension.
    pub beyond: Vec<i64>,
}

/// An array that a tile of a stencil has.
#[derive(Clone, Debug, PartialEq)]
pub struct StencilArray {
    /// Bytes of a place: those of all planes, if it has several that take turns.
    pub bytes: u64,
    /// Whether values flow from one step to another in it, so that tiles read and store it.
    pub is_carried: bool,
    /// By how much instances that write it reach beyond the block of a tile in the last step, along each
    /// dimension.
    pub beyond: Vec<i64>,
}

/// Sizes of tiles, and what they cost by the model.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeTile {
    /// The number of steps, and the extents of a block.
    pub sizes: Vec<i64>,
    /// Nanoseconds of a time step.
    pub nanoseconds: f64,
}

impl Stencil {
    /// Nanoseconds of a time step with one state per launch.
    ///
    /// *Cost.* Linear in the statements.
    pub fn launched(&self, device: &Device) -> f64 {
        let places: f64 = self.extents.iter().map(|extent| (*extent).max(1) as f64).product();
        let rates = Rates::of(device);
        let of_statement = |statement: &StencilStatement| {
            let memory = statement.bytes as f64 / rates.memory;
            let own = rates.cycles(statement) / device.multiprocessors as f64 / rates.clock;
            places * memory.max(own)
        };
        let work: f64 = self.statements.iter().map(of_statement).sum();
        (self.launches * device.launch_nanoseconds) as f64 + work
    }

    /// Nanoseconds of a time step in tiles of these sizes, the number of steps first; none if a block has no
    /// memory for them.
    ///
    /// *Cost.* The number of steps times that of the statements.
    ///
    /// # Examples
    /// ```
    /// use loopwright_device::{Stencil, StencilArray, StencilStatement};
    /// use loopwright_machine::DescribedDevice;
    /// let half = |beyond| StencilStatement {
    ///     bytes: 16, accessed_bytes: 48, outside_bytes: 0, operations: 5, beyond: vec![beyond; 2],
    /// };
    /// let array = |is_carried, beyond| StencilArray { bytes: 8, is_carried, beyond: vec![beyond; 2] };
    /// let jacobi = Stencil {
    ///     extents: vec![4000; 2], launches: 2, statements: vec![half(2), half(0)],
    ///     arrays: vec![array(true, 0), array(false, 2)], per_step: vec![4; 2],
    /// };
    /// let hopper = DescribedDevice::named("hopper").unwrap().device;
    /// assert!(jacobi.tiled(&[4, 32, 32], &hopper).unwrap() < jacobi.launched(&hopper));
    /// assert_eq!(jacobi.tiled(&[16, 64, 64], &hopper), None, "more than 48 KiB");
    /// ```
    pub fn tiled(&self, sizes: &[i64], device: &Device) -> Option<f64> {
        let (&steps, block) = sizes.split_first()?;
        let shared_bytes = self.shared_bytes(steps, block);
        if shared_bytes > device.block_shared_bytes {
            return None;
        }
        let rates = Rates::of(device);
        let blocks: f64 = self.extents.iter().zip(block).map(|(n, own)| tiles(*n, *own)).product();
        let threads = tile_threads(&self.widths(steps, block), device);
        let threads = threads.iter().product::<i64>().max(1) as u64;
        let needs = BlockNeeds { threads, registers: REGISTERS, shared_bytes };
        let at_once = Occupancy::of(&needs, device).blocks.max(1);
        let (mut cycles, mut waiting, mut outside) = (0.0, 0.0, 0.0);
        for before in 0..steps {
            for statement in &self.statements {
                let extents = block.iter().zip(self.per_step.iter().zip(&statement.beyond));
                let instances =
                    extents.map(|(own, (step, last))| (own + step * before + last) as f64);
                let instances = instances.product::<f64>();
                cycles += instances * rates.cycles(statement);
                outside += instances * statement.outside_bytes as f64;
                waiting += (instances / threads as f64).ceil() * INSTANCE_CYCLES + BARRIER_CYCLES;
            }
        }
        let rounds = |at_once: u64| (blocks / (device.multiprocessors * at_once) as f64).ceil();
        let own = (rounds(1) * cycles).max(rounds(at_once) * waiting) / rates.clock;
        let places = |of: &[i64]| of.iter().map(|extent| *extent as f64).product::<f64>();
        let around = places(&self.widths(steps, block)) - places(block);
        let moved = 2.0 * places(block) + around * if device.l2_bytes > 0 { CACHED } else { 1.0 };
        let carried = self.arrays.iter().filter(|array| array.is_carried).map(|array| array.bytes);
        let memory = blocks * (moved * carried.sum::<u64>() as f64 + outside) / rates.memory;
        Some((device.launch_nanoseconds as f64 + own.max(memory)) / steps as f64)
    }

    /// The tiles that cost least, the cheapest first.
    ///
    /// *Cost.* Some tens of [`Stencil::tiled`].
    pub fn cheapest(&self, device: &Device) -> Vec<TimeTile> {
        let n = self.extents.len();
        let Some(candidates) = n.checked_sub(1).and_then(|at| CANDIDATES.get(at)) else {
            return Vec::new();
        };
        let mut all: Vec<Vec<i64>> = candidates.steps.iter().map(|steps| vec![*steps]).collect();
        for dimension in 0..n {
            let own = if dimension + 1 == n { candidates.rows } else { candidates.others };
            let with = |sizes: &Vec<i64>| {
                let sizes = sizes.clone();
                own.iter().map(move |size| [&sizes[..], &[*size]].concat())
            };
            all = all.iter().flat_map(with).collect();
        }
        let tile =
            |sizes: Vec<i64>| Some(TimeTile { nanoseconds: self.tiled(&sizes, device)?, sizes });
        let mut tiles: Vec<TimeTile> = all.into_iter().filter_map(tile).collect();
        tiles.sort_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
        tiles
    }

    /// The greatest extents of a tile.
    fn widths(&self, steps: i64, block: &[i64]) -> Vec<i64> {
        block.iter().zip(&self.per_step).map(|(own, step)| own + step * steps).collect()
    }

    fn shared_bytes(&self, steps: i64, block: &[i64]) -> u64 {
        let of_array = |array: &StencilArray| {
            let mut widths = match array.is_carried {
                true => self.widths(steps, block),
                false => self.widths(steps - 1, block),
            };
            if !array.is_carried {
                widths.iter_mut().zip(&array.beyond).for_each(|(width, beyond)| *width += beyond);
            }
            if let [.., _, row] = &mut widths[..] {
                *row = (*row + ROW - 1) / ROW * ROW;
            }
            let places = widths.iter().fold(1i64, |all, own| all.saturating_mul(*own));
            array.bytes.saturating_mul(u64::try_from(places).unwrap_or(u64::MAX))
        };
        self.arrays.iter().map(of_array).fold(0, u64::saturating_add)
    }
}

/// Threads of a block for a tile of these extents, the slowest first: as many along each axis as there are
/// places, the fastest axis first, until a block has enough.
pub(crate) fn tile_threads(widths: &[i64], device: &Device) -> Vec<i64> {
    let mut left = i64::try_from(device.block_threads).unwrap_or(i64::MAX).clamp(1, MOST_THREADS);
    let mut threads: Vec<i64> = Vec::with_capacity(widths.len());
    for width in widths.iter().rev() {
        let rounds = (width.max(&1) + left - 1) / left;
        let own = (width.max(&1) + rounds - 1) / rounds;
        threads.insert(0, own);
        left = (left / own).max(1);
    }
    threads
}

/// How many tiles of a size an extent has.
pub(crate) fn tiles(extent: i64, size: i64) -> f64 {
    ((extent.max(1).saturating_add(size.saturating_sub(1))) / size.max(1)) as f64
}

/// What a device does in a nanosecond, or in a cycle of a multiprocessor.
pub(crate) struct Rates {
    /// Bytes of memory in a nanosecond.
    pub(crate) memory: f64,
    /// Cycles in a nanosecond.
    pub(crate) clock: f64,
    /// Bytes that a multiprocessor reads from shared memory or its cache in a cycle.
    pub(crate) on_chip: f64,
    /// Operations that it begins in a cycle.
    pub(crate) operations: f64,
}

impl Rates {
    pub(crate) fn of(device: &Device) -> Rates {
        Rates {
            memory: device.memory_megabytes_per_second as f64 / 1000.0,
            clock: device.clock_mhz as f64 / 1000.0,
            on_chip: device.shared_banks as f64 * BANK_BYTES,
            operations: device.double_pipelines as f64,
        }
    }

    /// Cycles of a multiprocessor for an instance of a statement.
    pub(crate) fn cycles(&self, statement: &StencilStatement) -> f64 {
        let accesses = statement.accessed_bytes as f64 / self.on_chip;
        accesses.max(statement.operations as f64 / self.operations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_machine::DescribedDevice;

    fn hopper() -> Device {
        DescribedDevice::named("hopper").unwrap().device
    }

    /// Two states of data with so many dimensions, each from the neighbours in the other.
    fn states(n: usize, extent: i64) -> Stencil {
        let state = |beyond| StencilStatement {
            bytes: 16,
            accessed_bytes: 8 * (2 * n as u64 + 2),
            outside_bytes: 0,
            operations: 4 * n as u64 + 1,
            beyond: vec![beyond; n],
        };
        let array =
            |is_carried, beyond| StencilArray { bytes: 8, is_carried, beyond: vec![beyond; n] };
        Stencil {
            extents: vec![extent; n],
            launches: 2,
            statements: vec![state(2), state(0)],
            arrays: vec![array(true, 0), array(false, 2)],
            per_step: vec![4; n],
        }
    }

    /// The terms of the model, one by one, for sizes where one of them is all.
    #[test]
    fn terms_are_those_of_arithmetic() {
        let device = hopper();
        let none = StencilStatement {
            bytes: 0,
            accessed_bytes: 0,
            outside_bytes: 0,
            operations: 0,
            beyond: vec![0],
        };
        let empty = Stencil { statements: vec![none.clone()], ..states(1, 1000) };
        let launches = 2.0 * device.launch_nanoseconds as f64;
        assert_eq!(empty.launched(&device), launches);
        let moves = StencilStatement { bytes: 3350, ..none.clone() };
        let moves = Stencil { statements: vec![moves], ..empty.clone() };
        assert_eq!(moves.launched(&device), launches + 1000.0);
        // 132 blocks on 132 multiprocessors, 1000 instances each of 128 bytes, one in a cycle; 1.98 cycles in
        // a nanosecond.
        let reads = StencilStatement { accessed_bytes: 1280, ..none };
        let reads = Stencil {
            extents: vec![132_000],
            statements: vec![reads],
            arrays: Vec::new(),
            per_step: vec![0],
            ..empty
        };
        let found = reads.tiled(&[1, 1000], &device).unwrap();
        assert!(
            (found - device.launch_nanoseconds as f64 - 10_000.0 / 1.98).abs() < 0.1,
            "{found}"
        );
    }

    /// Tiles pay where a launch, or memory, is most of the time; more steps than that cost repeated work.
    #[test]
    fn tiles_follow_the_dimensions_of_the_data() {
        let device = hopper();
        let mut steps = Vec::new();
        for (n, extent) in [(1, 1_000_000), (2, 4000), (3, 180)] {
            let stencil = states(n, extent);
            let best = &stencil.cheapest(&device)[0];
            assert!(best.nanoseconds < stencil.launched(&device), "{n}: {best:?}");
            steps.push(best.sizes[0]);
        }
        assert!(steps[0] > steps[1] && steps[1] > steps[2], "{steps:?}");
    }

    #[test]
    fn threads_cover_a_tile_in_as_few_rounds() {
        let device = hopper();
        assert_eq!(tile_threads(&[48, 48], &device), [10, 48]);
        assert_eq!(tile_threads(&[1200], &device), [400]);
        assert_eq!(tile_threads(&[4, 8, 12], &device), [4, 8, 12]);
        assert_eq!(tile_threads(&[48, 48], &Device::generic()), [5, 48]);
    }
}
