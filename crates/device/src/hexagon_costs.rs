//! What a time step of a stencil costs in hexagonal tiles with boxes of arrays in shared memory, and the
//! sizes that cost least.
//!
//! Hexagons of `S` steps and width `w` repeat after `P = 2 w - a S / 2` places, where `a` is by how much
//! values spread per step along the first dimension of the data, to both sides together; rows of hexagons are
//! `S / 2` steps apart, and each is a launch. In its row a hexagon computes `P S / 2` places of each
//! statement, times those of other dimensions, and none of them twice. A block has tiles along the other
//! dimensions in turn, of extents `s_j`, each of which copies a box of
//!
//! ```text
//!     (w + a / 2) times the product of (s_j + a_j S / 2)
//! ```
//!
//! places of each array into shared memory and back, as tiles lean along these dimensions. What leans over
//! the last tile has just been written by the same block, and comes from the common cache. Threads wait for
//! each other between all statements, of half as many places as a hexagon is wide on average, and for the
//! copies of each tile: nothing else is on its way meanwhile.
use crate::occupancy::{BlockNeeds, Occupancy};
use crate::time_tile_costs::{
    BARRIER_CYCLES, CACHED, INSTANCE_CYCLES, REGISTERS, Rates, Stencil, TimeTile, tile_threads,
    tiles,
};
use loopwright_machine::Device;

/// Cycles until a thread has copied an element from the memory of the device to shared memory.
const COPY_CYCLES: f64 = 600.0;

/// Steps, widths of hexagons, and extents along the fastest dimension and others that are tried, for so many
/// dimensions of data.
struct Candidates {
    steps: &'static [i64],
    widths: &'static [i64],
    rows: &'static [i64],
    others: &'static [i64],
}

const CANDIDATES: [Candidates; 3] = [
    Candidates { steps: &[16, 32, 64], widths: &[64, 128, 256, 512], rows: &[], others: &[] },
    Candidates {
        steps: &[2, 4, 8, 16],
        widths: &[8, 16, 32, 64],
        rows: &[16, 32, 64],
        others: &[],
    },
    Candidates { steps: &[2, 4], widths: &[4, 8, 16], rows: &[16, 32], others: &[4, 8] },
];

impl Stencil {
    /// Nanoseconds of a time step in hexagons of these sizes, the number of steps first, then the width; none
    /// if they are too narrow, or a block has no memory for them.
    ///
    /// *Cost.* Linear in the statements.
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
    /// assert!(jacobi.in_hexagons(&[8, 16, 32], &hopper).is_some());
    /// assert_eq!(jacobi.in_hexagons(&[8, 15, 32], &hopper), None, "narrower than it grows");
    /// ```
    pub fn in_hexagons(&self, sizes: &[i64], device: &Device) -> Option<f64> {
        let (&[steps, width], others) = sizes.split_first_chunk::<2>()?;
        let (per_step, leaning) = self.per_step.split_first()?;
        let half = steps.div_euclid(2) + steps.rem_euclid(2);
        let (first, rest) = self.extents.split_first()?;
        let grown = per_step.saturating_mul(half);
        if width < grown.max(1) || steps < 1 || others.len() != leaning.len() {
            return None;
        }
        let period = width.saturating_mul(2).saturating_sub(grown);
        let sides = others
            .iter()
            .zip(leaning)
            .map(|(own, step)| own.saturating_add(step.saturating_mul(steps) / 2));
        let widths: Vec<i64> =
            std::iter::once(width.saturating_add(per_step / 2)).chain(sides).collect();
        let places = |of: &[i64]| of.iter().map(|extent| *extent as f64).product::<f64>();
        let bytes: u64 = self.arrays.iter().map(|array| array.bytes).sum();
        let shared_bytes = (bytes as f64 * places(&widths)) as u64;
        if shared_bytes > device.block_shared_bytes {
            return None;
        }
        let rates = Rates::of(device);
        let blocks = tiles(*first, period);
        let in_turn: f64 = (rest.iter().zip(others).zip(leaning))
            .map(|((extent, own), step)| {
                tiles(extent.saturating_add(step.saturating_mul(steps) / 2), *own)
            })
            .product();
        let threads = tile_threads(&[&[width], others].concat(), device);
        let threads = threads.iter().product::<i64>().max(1) as u64;
        let needs = BlockNeeds { threads, registers: REGISTERS, shared_bytes };
        let at_once = Occupancy::of(&needs, device).blocks.max(1);
        let round =
            |places: f64, cycles: f64| (places / threads as f64).ceil() * cycles + BARRIER_CYCLES;
        let (mut cycles, mut waiting, mut outside) = (0.0, 0.0, 0.0);
        let instances = period as f64 / 2.0 * places(others);
        for statement in &self.statements {
            cycles += steps as f64 * instances * rates.cycles(statement);
            outside += steps as f64 * instances * statement.outside_bytes as f64;
            waiting += steps as f64 * round(instances, INSTANCE_CYCLES);
        }
        let copied = self.arrays.len() as f64 * places(&widths);
        waiting += 2.0 * round(copied, COPY_CYCLES);
        let rounds = |at_once: u64| (blocks / (device.multiprocessors * at_once) as f64).ceil();
        let own = in_turn * (rounds(1) * cycles).max(rounds(at_once) * waiting) / rates.clock;
        let upright = widths[0] as f64 * places(others);
        let cached = if device.l2_bytes > 0 { CACHED } else { 1.0 };
        let moved = 2.0 * (upright + (places(&widths) - upright) * cached);
        let memory = blocks * in_turn * (moved * bytes as f64 + outside) / rates.memory;
        Some((device.launch_nanoseconds as f64 + own.max(memory)) / half as f64)
    }

    /// The hexagons that cost least, the cheapest first.
    ///
    /// *Cost.* Some tens of [`Stencil::in_hexagons`].
    pub fn cheapest_hexagons(&self, device: &Device) -> Vec<TimeTile> {
        let n = self.extents.len();
        let Some(candidates) = n.checked_sub(1).and_then(|at| CANDIDATES.get(at)) else {
            return Vec::new();
        };
        let mut all: Vec<Vec<i64>> = candidates.steps.iter().map(|steps| vec![*steps]).collect();
        for dimension in 0..n {
            let own = match dimension {
                0 => candidates.widths,
                _ if dimension + 1 == n => candidates.rows,
                _ => candidates.others,
            };
            let with = |sizes: &Vec<i64>| {
                let sizes = sizes.clone();
                own.iter().map(move |size| [&sizes[..], &[*size]].concat())
            };
            all = all.iter().flat_map(with).collect();
        }
        let tile = |sizes: Vec<i64>| {
            Some(TimeTile { nanoseconds: self.in_hexagons(&sizes, device)?, sizes })
        };
        let mut tiles: Vec<TimeTile> = all.into_iter().filter_map(tile).collect();
        tiles.sort_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
        tiles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time_tile_costs::{StencilArray, StencilStatement};
    use loopwright_machine::DescribedDevice;

    fn stencil(operations: u64, per_step: i64) -> Stencil {
        let statement = StencilStatement {
            bytes: 16,
            accessed_bytes: 48,
            outside_bytes: 0,
            operations,
            beyond: vec![0; 2],
        };
        let array = StencilArray { bytes: 8, is_carried: true, beyond: vec![0; 2] };
        Stencil {
            extents: vec![4000; 2],
            launches: 1,
            statements: vec![statement],
            arrays: vec![array],
            per_step: vec![per_step; 2],
        }
    }

    /// A launch for each half of a hexagon, and nothing else, if there is nothing to do.
    #[test]
    fn launches_are_those_of_rows() {
        let device = DescribedDevice::named("hopper").unwrap().device;
        let empty = Stencil { statements: Vec::new(), arrays: Vec::new(), ..stencil(0, 2) };
        let nothing = Stencil { extents: vec![1; 2], ..empty };
        let waits = nothing.in_hexagons(&[8, 8, 32], &device).unwrap();
        let launch = device.launch_nanoseconds as f64;
        assert!(waits >= launch / 4.0 && waits < launch / 2.0, "{waits}");
    }

    /// One array of which values spread slowly is copied once for many steps, and nothing is done twice; with
    /// two arrays and states in turn boxes are twice as many, and smaller.
    #[test]
    fn hexagons_win_where_little_is_copied() {
        let hopper = DescribedDevice::named("hopper").unwrap().device;
        let cheapest = |stencil: &Stencil| {
            let overlapped = stencil.cheapest(&hopper)[0].nanoseconds;
            (stencil.cheapest_hexagons(&hopper)[0].nanoseconds, overlapped)
        };
        let cheap = stencil(5, 4);
        let second = StencilArray { is_carried: false, ..cheap.arrays[0].clone() };
        let cheap = Stencil {
            statements: vec![cheap.statements[0].clone(); 2],
            arrays: vec![cheap.arrays[0].clone(), second],
            launches: 2,
            ..cheap
        };
        let (hexagons, overlapped) = cheapest(&cheap);
        assert!(hexagons > overlapped, "{hexagons} {overlapped}");
        let (hexagons, overlapped) = cheapest(&stencil(5, 2));
        assert!(hexagons < overlapped, "{hexagons} {overlapped}");
    }
}
