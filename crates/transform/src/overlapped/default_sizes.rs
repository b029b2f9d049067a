//! Sizes of overlapped tiles by what they cost, where none are given.
//!
//! More time steps in a band are fewer copies between tiles and the state, and more that is computed twice;
//! wider blocks are less of both, as long as the private arrays of a tile stay in a second level cache. All
//! combinations of some sizes are compared by [`crate::tile::tiling_cost`]; copying a place in or out counts
//! as one more instance.
use crate::cost::profitability::element_bytes;
use crate::overlapped::cells::MOST_BYTES;
use crate::overlapped::growth::Growth;
use crate::overlapped::site::{Site, Tiled};
use crate::tile::tiling_cost::{Traits, Workload};
use loopwright_machine::Machine;

/// Time steps of a band that are tried.
const STEPS: [i64; 7] = [2, 4, 8, 16, 32, 64, 128];

/// The sizes by which growth is found: bands of the most steps.
pub(super) const LONGEST: [i64; 2] = [STEPS[STEPS.len() - 1], 1];

/// Extents of a block along outer dimensions that are tried.
const OUTER: [i64; 5] = [8, 16, 32, 64, 128];

/// The same along the innermost one.
const ROWS: [i64; 8] = [64, 128, 256, 512, 1024, 2048, 4096, 8192];

/// The part of a stack's limit that is counted on: rows of local arrays are made longer.
const USABLE_EIGHTHS: i64 = 7;

/// Time steps and extents of the cheapest tiles.
pub(super) fn cheapest_sizes(site: &Site<'_>, machine: &Machine) -> Tiled<Vec<i64>> {
    let growth = Growth::of(site)?;
    let n_space = site.sizes.len();
    let bytes = bytes_of_place(site);
    let nominal = Workload::nominal(1 + n_space);
    let work = Workload { bytes, machine: machine.clone(), ..nominal };
    let most = MOST_BYTES / 8 * USABLE_EIGHTHS;
    let most = most.min(i64::try_from(machine.l2_bytes).unwrap_or(i64::MAX) / 8 * 6).max(most / 8);
    let mut best: Option<(u64, Vec<i64>)> = None;
    for steps in STEPS {
        for outer in OUTER {
            for row in ROWS {
                let mut sizes = vec![outer; n_space];
                sizes[n_space - 1] = row;
                let growth = Growth { steps, sizes, ..growth.clone() };
                let traits = traits(&growth, &work);
                let cost = work.cost(&traits).millicycles;
                let fits = traits.places * bytes as f64 <= most as f64;
                if fits && best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, [vec![steps], growth.sizes].concat()));
                }
            }
            if n_space == 1 {
                break;
            }
        }
    }
    Ok(best.map_or_else(|| vec![2, 8], |(_, sizes)| sizes))
}

/// Bytes that a tile has for a place of its data: an array with a dimension more has two planes that take
/// turns.
fn bytes_of_place(site: &Site<'_>) -> i64 {
    let bytes = |id: &loopwright_scop::ArrayId| {
        let planes = if site.scop.array(*id).extents.len() > site.sizes.len() { 2 } else { 1 };
        planes * element_bytes(site.scop, id.0 as usize)
    };
    site.written.iter().map(bytes).sum::<i64>().max(1)
}

fn traits(growth: &Growth, work: &Workload) -> Traits {
    // The places of a tile so many steps before its end.
    let places_before = |steps: i64| {
        let grown = growth.sides.iter().zip(&growth.sizes).map(|(sides, size)| {
            let beyond = sides.iter().map(|side| side.per_step * steps);
            (size + beyond.sum::<i64>()) as f64
        });
        grown.product::<f64>()
    };
    let places = places_before(growth.steps);
    let executed: f64 = (0..growth.steps).map(places_before).sum();
    let block: f64 = growth.sizes.iter().map(|size| *size as f64).product();
    let copies = (places / block + 1.0) / growth.steps as f64;
    let data = growth.sizes.iter().enumerate();
    let n_tiles = data.map(|(k, size)| (work.extent(1 + k) / *size as f64).max(1.0));
    Traits {
        steps: growth.steps as f64,
        places,
        row: growth.sizes.last().copied().unwrap_or(1) as f64,
        at_once: n_tiles.product(),
        waves: work.extent(0) / growth.steps as f64,
        redundancy: executed / (growth.steps as f64 * block) + copies,
    }
}
