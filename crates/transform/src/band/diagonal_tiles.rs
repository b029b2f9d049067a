//! Tiles that run in diagonals or as a pipeline: bands without an independent loop over tiles.
use crate::loops::wavefront;
use crate::site::BandSite;
use crate::site::outer_loops::{OuterLoops, ParallelLoop};
use crate::tile::rectangular;
use loopwright_presburger::Result;
use loopwright_schedule::{Band, LoopKind, TileLoops};

/// Tiles of `band` in diagonals of the first `n_summed` members, those on a diagonal in parallel; none if
/// they are not independent. `band` is that of the site or one that takes its place.
///
/// # Errors
/// For malformed trees.
pub fn diagonal_tiles(
    site: &BandSite,
    band: &Band,
    sizes: &[i64],
    n_summed: usize,
) -> Result<Option<OuterLoops>> {
    let (tiles, _) = rectangular::tile(band, sizes, TileLoops::Unscaled)?;
    let Some(band) = wavefront::skew(&tiles, n_summed)? else { return Ok(None) };
    let private = site.private_variables(&band.schedule.members()[..2])?;
    let parallel = private.map(|private| ParallelLoop::independent(1, private));
    Ok(parallel.map(|parallel| OuterLoops { band, is_tiled: true, parallel: Some(parallel) }))
}

/// Tiles of the band in rows that run as a pipeline; none if they may not.
///
/// # Errors
/// For malformed trees.
pub fn pipelined_tiles(site: &BandSite, sizes: &[i64]) -> Result<Option<OuterLoops>> {
    if site.n_members() < 2 {
        return Ok(None);
    }
    // Rows count their steps by ones, so that all have the same.
    let tiles = match site.options.tile_variables {
        Some(_) => rectangular::origins(site.band),
        None => rectangular::tile(site.band, sizes, TileLoops::Unscaled)?.0,
    };
    let rows = &tiles.schedule.members()[..2];
    let private = site.independence.pipeline_scalars(site.reaching, rows)?;
    let kind = LoopKind::Pipelined;
    let parallel =
        private.map(|private| ParallelLoop { position: 0, kind, private, is_collapsed: false });
    Ok(parallel.map(|parallel| OuterLoops {
        band: tiles,
        is_tiled: true,
        parallel: Some(parallel),
    }))
}
