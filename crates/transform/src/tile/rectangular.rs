//! Rectangular tiles of permutable bands.
//!
//! The tile loops run over boxes of the band's values, the point loops inside run over a box. Legal
//! for permutable bands (see [`Band::tile`]).
use crate::TileSizes;
use loopwright_presburger::{Int, MultiUnionPwAff, Result, Tuple};
use loopwright_schedule::{AstLoopType, Band, TileLoops};

/// Values per tile of a member: three blocks of 32 x 32 doubles (24 KiB) stay in a first level
/// cache of 32 KiB.
pub const DEFAULT_TILE: i64 = 32;

/// Values per tile of the innermost point loop: long enough that vector code is not dominated by
/// its start and end (256 doubles are 32 vectors of 512 bits); 32 such rows (64 KiB) stay in the
/// second level cache.
pub const DEFAULT_VECTOR_TILE: i64 = 256;

/// The sizes for a band of `n` members whose innermost point loop is `innermost`.
///
/// Given sizes are used in the order of the members, the last one for all that follow.
pub fn sizes(choice: &TileSizes, n: usize, innermost: usize) -> Vec<i64> {
    match choice {
        TileSizes::None => vec![1; n],
        TileSizes::Given(given) => {
            let last = given.last().copied().unwrap_or(DEFAULT_TILE);
            (0..n).map(|member| given.get(member).copied().unwrap_or(last)).collect()
        }
        _ => {
            let size =
                |member| if member == innermost { DEFAULT_VECTOR_TILE } else { DEFAULT_TILE };
            (0..n).map(size).collect()
        }
    }
}

/// The tile band and the point band.
///
/// Tile loops are generated without splitting ([`AstLoopType::Atomic`]): a tile at the border that
/// only some statements reach is not worth a copy of all code below.
///
/// # Errors
/// If the band is not permutable or a size is not positive.
pub fn tile(band: &Band, sizes: &[i64], loops: TileLoops) -> Result<(Band, Band)> {
    let sizes: Vec<Int> = sizes.iter().map(|&size| Int::from(size)).collect();
    let (mut tiles, points) = band.tile(&sizes, loops)?;
    tiles.members.iter_mut().for_each(|member| member.ast_loop_type = AstLoopType::Atomic);
    Ok((tiles, points))
}

/// The loops over the origins of tiles whose sizes are variables, as values of the members
/// ([`OriginMark`](loopwright_schedule::OriginMark)).
pub fn origins(band: &Band) -> Band {
    let mut origins = band.clone();
    origins.members.iter_mut().for_each(|member| member.ast_loop_type = AstLoopType::Atomic);
    origins
}

/// The sizes of tiles of `factors` tiles along each member, the last factor repeated as often as
/// needed; `sizes` if there are none.
///
/// ```
/// use loopwright_transform::tile::rectangular::outer_sizes;
/// assert_eq!(outer_sizes(&[32, 32, 16], &[8, 4]), [256, 128, 64]);
/// assert_eq!(outer_sizes(&[32, 32], &[]), [32, 32]);
/// ```
pub fn outer_sizes(sizes: &[i64], factors: &[i64]) -> Vec<i64> {
    let last = factors.last().copied().unwrap_or(1);
    let factor = |member| factors.get(member).copied().unwrap_or(last);
    sizes.iter().enumerate().map(|(member, size)| size.saturating_mul(factor(member))).collect()
}

/// The tile loops of a band, outermost first: those of tiles of `factors` tiles if there are any,
/// then those of the tiles.
///
/// # Errors
/// If the band is not permutable or a size or factor is not positive.
pub fn tile_loops(band: &Band, sizes: &[i64], factors: &[i64]) -> Result<Band> {
    let (tiles, _) = tile(band, sizes, TileLoops::Scaled)?;
    if factors.is_empty() {
        return Ok(tiles);
    }
    let (outer, _) = tile(&tiles, &outer_sizes(sizes, factors), TileLoops::Scaled)?;
    let loops: Vec<_> =
        [&outer, &tiles].iter().flat_map(|band| band.schedule.members().to_vec()).collect();
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(loops.len()), loops);
    let members = outer.members.iter().chain(&tiles.members).copied().collect();
    Ok(Band { schedule, members, ..tiles })
}
