//! Bands whose shape of tiles the user has chosen: nothing is asked about gain.
use crate::band::points::PointPlan;
use crate::decision::Decision;
use crate::settings::{TileSizes, Tiling};
use crate::site::BandSite;
use crate::tile::tiling::{Refusal, Request, TiledBand, tiled_band};
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
    let request = Request { tiling, sizes, innermost, point_to_point: options.point_to_point };
    let (all, budget) = (independence.dependences(), independence.budget());
    let tiled = match tiled_band(request, band, reaching, all, budget) {
        Err(Error::Exceeded { operation, .. }) => Err(Refusal::Limit(operation)),
        tiled => tiled?,
    };
    Ok(Some(match tiled {
        Ok(TiledBand { tiling, loops, sizes }) => ChosenTiles {
            loops: Some(loops),
            decision: Decision::Shaped { tiling, sizes: sizes.clone() },
            sizes: Some(sizes),
        },
        Err(refusal) => refused(tiling, &refusal),
    }))
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
