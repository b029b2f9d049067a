//! Time-tiled bands whose tiles start concurrently: when, with which tiles, and in which order.
//!
//! [`diamond`](crate::tile::diamond) finds the hyperplane; here is the choice of the member that it replaces,
//! of the members that it is combined with and of the tile sizes. The first member that is a side of the
//! iteration space and allows a concurrent start is the face: members come with the shortest dependence
//! distances first, so it is the time loop of a stencil. It is combined with the next one, or with all others
//! for a full start.
//!
//! Tiles have the same size along all members in the sum (or the diagonals would not be parallel to
//! the face). A tile of size `s` has at most `s` values of a data loop, and half of `s x s` points of
//! the face and that loop. The points inside stay in the order of the band.
use crate::band::diagonal_tiles::diagonal_tiles;
use crate::band::points::PointPlan;
use crate::cost::nest::{Nest, NestStatement};
use crate::cost::profitability::MINIMUM_REPEATED_WORK;
use crate::decision::{Decision, Threads};
use crate::settings::{ConcurrentStart, TileSizes};
use crate::site::BandSite;
use crate::site::outer_loops::OuterChoice;
use crate::tile::diamond::{Diamond, concurrent_start};
use crate::tile::rectangular::DEFAULT_VECTOR_TILE;
use loopwright_presburger::Result;

/// Tile size along the summed members if the innermost loop is one of them: rows of some hundred values,
/// and some tens of them in a first level cache.
pub const DEFAULT_VECTOR_DIAMOND: i64 = 512;

/// Tile size along the summed members of a band of three: a tile of 64 rows of 256 values stays in a second
/// level cache.
pub const DEFAULT_DIAMOND: i64 = 64;

/// The same for longer bands, where a tile has a plane for each value.
pub const DEFAULT_SMALL_DIAMOND: i64 = 16;

/// Fewer tiles than this on a diagonal are not worth it.
const LEAST_TILES: i64 = 4;

/// The tile loops of a band in diagonals of tiles that start concurrently, in place of the tiles of `plan`;
/// none if no member allows it, or there is too little work on a diagonal, or it is not wanted.
///
/// *Cost.* A search for a hyperplane per member that is a side of the iteration space.
///
/// # Errors
/// For malformed trees.
pub fn concurrent_tiles(site: &BandSite, plan: &PointPlan) -> Result<Option<OuterChoice>> {
    let BandSite { band, nest, options, independence, .. } = site;
    let n = band.n_members();
    if options.tile_sizes == TileSizes::None || !band.permutable || n < 2 {
        return Ok(None);
    }
    for face in (0..n).filter(|&member| is_boundary(nest, member)) {
        let others = (0..n).filter(|&member| member != face);
        let with: Vec<usize> = match options.concurrent_start {
            ConcurrentStart::None => return Ok(None),
            ConcurrentStart::Partial => others.take(1).collect(),
            ConcurrentStart::Full => others.collect(),
        };
        let (all, budget) = (independence.dependences(), independence.budget());
        let found = concurrent_start(band, face, &with, site.reaching, all, budget)?;
        let Some(diamond) = found else { continue };
        // Sizes that another model was asked for stay.
        let choice = match (&options.tile_sizes, &plan.sizes) {
            (TileSizes::Default | TileSizes::Given(_), _) | (_, None) => options.tile_sizes.clone(),
            (_, Some(sizes)) => TileSizes::Given(sizes.clone()),
        };
        let sizes = sizes(&diamond, plan.order.last().copied(), &choice);
        if !pays(nest, face, &diamond, sizes[0]) {
            continue;
        }
        let loops = diagonal_tiles(site, &diamond.band, &sizes, diamond.n_summed)?;
        if let Some(loops) = loops {
            let (sizes, decisions) = record(&diamond, face, with, &sizes);
            let diamonds = Some(sizes);
            return Ok(Some(OuterChoice { diamonds, ..OuterChoice::of(loops, decisions) }));
        }
    }
    Ok(None)
}

/// Whether the first value of a member is a whole side of the iteration space, as that of a time loop is: it
/// moves with at most one iterator of each statement, so the others run over all the data there.
fn is_boundary(nest: &Nest, member: usize) -> bool {
    let is_axis = |statement: &NestStatement| {
        let row = statement.rows[nest.first + member].as_ref();
        row.is_some_and(|row| (0..row.len()).filter(|&i| !row.is_zero_at(i)).count() <= 1)
    };
    nest.statements.iter().all(is_axis)
}

/// The tile sizes of the members of the new band.
fn sizes(diamond: &Diamond, innermost: Option<usize>, choice: &TileSizes) -> Vec<i64> {
    let is_innermost = |member: usize| Some(member) == innermost;
    let summed = &diamond.others[..diamond.n_summed - 1];
    let small = if diamond.others.len() > 2 { DEFAULT_SMALL_DIAMOND } else { DEFAULT_DIAMOND };
    let along = |member: usize| match choice {
        TileSizes::Given(given) => given.get(member).or(given.last()).copied().unwrap_or(small),
        _ if summed == [member] && is_innermost(member) => DEFAULT_VECTOR_DIAMOND,
        _ if is_innermost(member) && !summed.contains(&member) => DEFAULT_VECTOR_TILE,
        _ => small,
    };
    let common = summed.first().map_or(small, |&member| along(member));
    let own = diamond.others.iter().map(|&member| match summed.contains(&member) {
        true => common,
        false => along(member),
    });
    [common].into_iter().chain(own).collect()
}

/// Whether a diagonal of tiles of this size has enough work and enough tiles.
fn pays(nest: &Nest, face: usize, diamond: &Diamond, size: i64) -> bool {
    let size = size.max(1);
    let outside: Vec<(usize, i64)> = (0..nest.first).map(|dim| (dim, 1)).collect();
    let diagonals = diamond.steepness.saturating_mul(nest.extent(face)) / size + 1;
    let row = |s: &NestStatement| s.instances / s.extents[nest.first + face].max(1);
    let data = nest.statements.iter().map(row).max().unwrap_or(1);
    nest.work_per_entry(&outside) / diagonals >= MINIMUM_REPEATED_WORK && data / size >= LEAST_TILES
}

/// The sizes by member, and what was decided.
fn record(
    diamond: &Diamond,
    face: usize,
    with: Vec<usize>,
    sizes: &[i64],
) -> (Vec<i64>, Vec<Decision>) {
    let mut by_member = vec![sizes[0]; sizes.len()];
    for (&member, &size) in diamond.others.iter().zip(&sizes[1..]) {
        by_member[member] = size;
    }
    let diamonds = Decision::Diamonds { sizes: by_member.clone(), face, with };
    let steepness = diamond.steepness;
    let threads = Decision::Parallel(Threads::Concurrent { steepness, face });
    (by_member, vec![diamonds, threads])
}
