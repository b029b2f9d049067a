//! Bands whose shape of tiles the user has chosen: nothing is asked about gain.
use crate::band::points::PointPlan;
use crate::cost::nest::Nest;
use crate::cost::profitability::element_bytes;
use crate::decision::Decision;
use crate::settings::{TileSizes, Tiling};
use crate::site::BandSite;
use crate::tile::tiling::{Refusal, Request, TiledBand, tiled_band};
use crate::tile::tiling_cost::Workload;
use loopwright_exact::Row;
use loopwright_presburger::{Error, Result};
use loopwright_schedule::Node;

/// What becomes of a band for which a shape of tiles was asked.
#[derive(Clone, Debug)]
pub struct ChosenTiles {
    /// The loops over tiles, with a leaf wherever points are; none if there are no such tiles.
    pub loops: Option<Node>,
    /// Sizes by member.
    pub sizes: Option<Vec<i64>>,
    /// What was decided.
    pub decision: Decision,
}

/// The tiles of the shape that the options ask for; none if they ask for none, or the band is a single loop.
///
/// *Cost.* That of [`tiled_band`].
///
/// # Errors
/// For malformed trees.
pub fn chosen_tiles(site: &BandSite, points: &PointPlan) -> Result<Option<ChosenTiles>> {
    let BandSite { band, reaching, independence, options, .. } = site;
    let Some(tiling) = options.tiling.filter(|_| band.n_members() > 1) else {
        return Ok(None);
    };
    let sizes = match &options.tile_sizes {
        TileSizes::Given(sizes) => &sizes[..],
        _ => &[],
    };
    let innermost = points.order.last().copied().unwrap_or(0);
    let workload = &workload(site);
    let point_to_point = options.point_to_point;
    let request = Request { tiling, sizes, innermost, point_to_point, workload };
    let (all, budget) = (independence.dependences(), independence.budget());
    let tiled = match tiled_band(request, band, reaching, all, budget) {
        Err(Error::Exceeded { operation, .. }) => Err(Refusal::Limit(operation)),
        tiled => tiled?,
    };
    Ok(Some(match tiled {
        Ok(TiledBand { tiling, loops, sizes, cost }) => ChosenTiles {
            loops: Some(loops),
            decision: Decision::Shaped { tiling, sizes: sizes.clone(), cost },
            sizes: Some(sizes),
        },
        Err(refusal) => refused(tiling, &refusal),
    }))
}

/// What a band does, as the cost of tiles depends on it.
fn workload(site: &BandSite) -> Workload {
    let BandSite { nest, scop, .. } = site;
    let extents: Vec<i64> = (0..site.n_members()).map(|member| extent(nest, member)).collect();
    let used = |array: &usize| {
        let mut accesses = nest.statements.iter().flat_map(|statement| &statement.accesses);
        accesses.any(|access| access.array == *array)
    };
    // An array with a dimension more than the data has two places that take turns.
    let n_data = extents.len() - 1;
    let bytes_of = |array: usize| match scop.arrays[array].extents.len() {
        n if n < n_data => 0,
        n if n > n_data => 2 * element_bytes(scop, array),
        _ => element_bytes(scop, array),
    };
    let bytes = (0..scop.arrays.len()).filter(used).map(bytes_of).sum();
    Workload { extents, bytes, machine: site.machine().clone() }
}

/// The number of values of a member, without what comes of its skewing by the first one, which is time.
fn extent(nest: &Nest, member: usize) -> i64 {
    let skewed = nest.extent(member);
    let largest = nest.statements.iter().max_by_key(|statement| statement.instances);
    let rows = largest.and_then(|statement| {
        let row = |member: usize| statement.rows.get(nest.first + member)?.as_ref();
        Some((row(0)?, row(member)?))
    });
    let Some((time, row)) = rows.filter(|_| member > 0) else { return skewed };
    let mut iterators = (0..time.len()).filter(|&i| !time.is_zero_at(i));
    let (Some(iterator), None) = (iterators.next(), iterators.next()) else { return skewed };
    let of = |row: &Row| row.get(iterator).to_i64().unwrap_or(0);
    let per_step = of(row).saturating_abs() / of(time).saturating_abs().max(1);
    let own = skewed.saturating_sub(per_step.saturating_mul(nest.extent(0) - 1));
    if own > 0 { own } else { skewed }
}

fn refused(tiling: Tiling, refusal: &Refusal) -> ChosenTiles {
    let decision = Decision::ShapeRefused { tiling, reason: refusal.to_string() };
    ChosenTiles { loops: None, sizes: None, decision }
}

/// The loops over tiles with `points` wherever they are.
///
/// # Errors
/// None of its own.
pub fn with_points(loops: Node, points: &Node) -> Result<Node> {
    loops.map_bottom_up(&mut |node| Ok(if node.is_leaf() { points.clone() } else { node }))
}
