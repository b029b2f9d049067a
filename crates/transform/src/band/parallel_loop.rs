//! Which loop runs in parallel.
//!
//! One parallel region per nest is entered as rarely as possible: the outermost independent loop is taken, a
//! coincident member of a permutable band is moved outside first, and a loop whose entries have too little
//! work ([`crate::cost::profitability::parallel_pays`]) stays sequential. Tiles without an independent loop
//! are run in diagonals: whole rows of tiles where they can start concurrently
//! ([`crate::band::concurrent_start`]), growing ones elsewhere ([`crate::loops::wavefront`]); or rows of
//! tiles follow each other as in a pipeline, each tile waiting only for those that it needs.
use crate::band::concurrent_start::concurrent_tiles;
use crate::band::diagonal_tiles::{diagonal_tiles, pipelined_tiles};
use crate::band::points::PointPlan;
use crate::cost::profitability::MINIMUM_REPEATED_WORK;
use crate::decision::{Decision, Threads};
use crate::loops::split_at_carried_iteration::{Range, independent_ranges};
use crate::site::BandSite;
use crate::site::outer_loops::{OuterChoice, OuterLoops, ParallelLoop};
use crate::tile::rectangular;
use loopwright_presburger::{Int, Result, UnionPwAff};
use loopwright_schedule::{Band, TileLoops};

/// Iterations of a parallel loop for each core: with fewer, some cores have nothing to do in the end.
const ITERATIONS_PER_CORE: i64 = 4;

/// The loops outside the points of tiles, or all loops of an untiled band; one of them
/// parallel if that is wanted, possible and pays.
///
/// *Cost.* One exact test of independence per member, at most, and those of [`concurrent_tiles`].
///
/// # Errors
/// For malformed trees.
pub fn choose_outer_loops(site: &BandSite, plan: &PointPlan) -> Result<OuterChoice> {
    match (&plan.sizes, site.may_be_parallel) {
        (Some(sizes), true) => tiled(site, plan, sizes),
        (Some(sizes), false) => {
            let tiles = tile_loops(site, sizes)?;
            Ok(OuterChoice::of(sequential_tiles(tiles, plan, site)?, Vec::new()))
        }
        (None, true) => untiled(site, plan),
        (None, false) => Ok(OuterChoice::of(OuterLoops::untiled(plan.points.clone()), Vec::new())),
    }
}

/// The loops of a band without tiles, of which one may be parallel; or chunks of its innermost loop; or tiles
/// that start concurrently.
fn untiled(site: &BandSite, plan: &PointPlan) -> Result<OuterChoice> {
    let found = choose_loop(site, plan)?;
    if found.loops.parallel.is_some() {
        return Ok(found);
    }
    if let Some((loops, decision)) = choose_chunks(site, plan)? {
        return Ok(OuterChoice { loops, decisions: vec![decision], ..found });
    }
    if let Some(tiles) = concurrent_tiles(site, plan)? {
        return Ok(OuterChoice { order: found.order, ..tiles });
    }
    let is_independent = site.band.members.iter().any(|member| member.coincident);
    let decisions = vec![Decision::Sequential(match is_independent {
        true => "no independent loop with enough work",
        false => "iterations depend on each other",
    })];
    Ok(OuterChoice { decisions, ..found })
}

/// The loops over tiles, the parallel one among them chosen. Tiles on diagonals are not tiled again.
fn tiled(site: &BandSite, plan: &PointPlan, sizes: &[i64]) -> Result<OuterChoice> {
    let tiles = tile_loops(site, sizes)?;
    if !site.parallel_pays_inside(&[]) {
        let decisions = vec![Decision::Sequential("too little work")];
        return Ok(OuterChoice::of(sequential_tiles(tiles, plan, site)?, decisions));
    }
    if let Some(found) = independent_tiles(site, plan, sizes, &tiles)? {
        return Ok(found);
    }
    if let Some(found) = concurrent_tiles(site, plan)? {
        return Ok(found);
    }
    if let Some((loops, threads)) = dependent_tiles(site, sizes)? {
        return Ok(OuterChoice::of(loops, vec![Decision::Parallel(threads)]));
    }
    let decisions = vec![Decision::Sequential("no independent tile loop with enough work")];
    Ok(OuterChoice::of(sequential_tiles(tiles, plan, site)?, decisions))
}

/// The loops over tiles of the band.
fn tile_loops(site: &BandSite, sizes: &[i64]) -> Result<Band> {
    match site.options.tile_variables {
        Some(_) => Ok(rectangular::origins(site.band)),
        None => rectangular::tile_loops(site.band, sizes, &site.options.tile_factors),
    }
}

/// A loop over tiles whose iterations are independent, outermost.
///
/// Any member may be the outermost tile loop; a loop over points that is independent there
/// is independent over tiles as well.
fn independent_tiles(
    site: &BandSite,
    plan: &PointPlan,
    sizes: &[i64],
    tiles: &Band,
) -> Result<Option<OuterChoice>> {
    let BandSite { band, nest, .. } = site;
    let factors = &site.options.tile_factors;
    let n = band.n_members();
    let coincident = (0..n).filter(|&member| band.members[member].coincident);
    let outer = rectangular::outer_sizes(sizes, factors);
    for member in coincident.filter(|&member| nest.extent(member) > outer[member]) {
        let alone = &site.members()[member..=member];
        let Some(private) = site.private_variables(alone)? else { continue };
        let order = plan.tile_order(Some(member), site.options).unwrap_or_else(|| {
            let others = (0..tiles.n_members()).filter(|&other| other != member);
            [member].into_iter().chain(others).collect()
        });
        let mut decisions = vec![Decision::Parallel(Threads::TileLoop(member))];
        let mut parallel = ParallelLoop::independent(0, private);
        let outside = tiles.permute(&order)?;
        let is_one_level = factors.is_empty() && site.options.tile_variables.is_none();
        if is_one_level && n > 1 && outside.members[1].coincident {
            let iterations = nest.extent(member) / sizes[member].max(1);
            parallel = collapsed(parallel, iterations, &outside.schedule.members()[..2], site)?;
            decisions.extend(parallel.is_collapsed.then_some(Decision::Collapsed));
        }
        let loops = OuterLoops { band: outside, is_tiled: true, parallel: Some(parallel) };
        return Ok(Some(OuterChoice::of(loops, decisions)));
    }
    Ok(None)
}

/// Tiles that depend on each other on several threads: as a pipeline, or on diagonals.
fn dependent_tiles(site: &BandSite, sizes: &[i64]) -> Result<Option<(OuterLoops, Threads)>> {
    let nest = &site.nest;
    let waves = nest.extent(0) / sizes[0].max(1) + nest.extent(1) / sizes[1].max(1) + 1;
    if nest.work_per_entry(&site.outside()) / waves < MINIMUM_REPEATED_WORK {
        return Ok(None);
    }
    // Numbers of diagonals are no quasi-affine functions of variable sizes.
    let has_diagonals = site.options.tile_variables.is_none();
    if (site.options.point_to_point || !has_diagonals)
        && let Some(loops) = pipelined_tiles(site, sizes)?
    {
        return Ok(Some((loops, Threads::Pipeline)));
    }
    if !has_diagonals {
        return Ok(None);
    }
    let loops = diagonal_tiles(site, site.band, sizes, 2)?;
    Ok(loops.map(|loops| (loops, Threads::Diagonals)))
}

/// Loops over tiles, none of them parallel, in the order that suits what is in them.
fn sequential_tiles(tiles: Band, plan: &PointPlan, site: &BandSite) -> Result<OuterLoops> {
    let band = match plan.tile_order(None, site.options) {
        Some(order) => tiles.permute(&order)?,
        None => tiles,
    };
    Ok(OuterLoops { band, is_tiled: true, parallel: None })
}

/// The next loop as well, if the parallel one has too few `iterations` for all cores and the last of `loops`,
/// which is the next one, is independent too.
fn collapsed(
    parallel: ParallelLoop,
    iterations: i64,
    loops: &[UnionPwAff],
    site: &BandSite,
) -> Result<ParallelLoop> {
    let cores = i64::try_from(site.machine().cores).unwrap_or(i64::MAX);
    let is_short = iterations < cores.saturating_mul(ITERATIONS_PER_CORE);
    let is_collapsed = parallel.private.is_empty()
        && is_short
        && site.private_scalars(loops)?.is_some_and(|private| private.is_empty());
    Ok(ParallelLoop { is_collapsed, ..parallel })
}

/// The loops of an untiled band; a coincident one may move outside, then their order is another one than that
/// of the plan. None of them is parallel if none is independent and has enough work.
fn choose_loop(site: &BandSite, plan: &PointPlan) -> Result<OuterChoice> {
    let (points, nest) = (&plan.points, &site.nest);
    let mut found = OuterChoice::of(OuterLoops::untiled(points.clone()), Vec::new());
    let n = points.n_members();
    let movable = (0..n.saturating_sub(1)).find(|&member| points.members[member].coincident);
    if let Some(member) = movable.filter(|&member| member > 0 && points.permutable) {
        let mut order = vec![member];
        order.extend((0..n).filter(|&other| other != member));
        found.loops.band = points.permute(&order)?;
        found.order = Some(order.iter().map(|&position| plan.order[position]).collect());
    }
    let order = found.order.as_ref().unwrap_or(&plan.order);
    let members = found.loops.band.schedule.members();
    for (position, &member) in order.iter().enumerate() {
        if !site.parallel_pays_inside(&order[..position]) {
            break;
        }
        if nest.extent(member) <= 1 {
            continue;
        }
        let Some(private) = site.private_variables(&members[..=position])? else { continue };
        let mut decisions = vec![Decision::Parallel(Threads::Loop(member))];
        let mut parallel = ParallelLoop::independent(position, private);
        // The innermost loop is for vectors.
        if position + 2 < n && found.loops.band.members[position + 1].coincident {
            let loops = &members[..=position + 1];
            parallel = collapsed(parallel, nest.extent(member), loops, site)?;
            decisions.extend(parallel.is_collapsed.then_some(Decision::Collapsed));
        }
        let loops = OuterLoops { parallel: Some(parallel), ..found.loops };
        return Ok(OuterChoice { loops, decisions, ..found });
    }
    Ok(found)
}

/// A loop that is parallel in several ranges of its values.
#[derive(Clone, Debug)]
pub struct ParallelRanges {
    /// Its position among the point loops.
    pub position: usize,
    /// The ranges.
    pub ranges: Vec<Range>,
}

/// The outermost of the loops over points, of an untiled band whose members are in this `order`, that becomes
/// independent by a split at one iteration ([`independent_ranges`]) and has enough work, with what was
/// decided; never the innermost loop.
///
/// # Errors
/// For malformed trees.
pub fn choose_ranges(
    site: &BandSite,
    points: &Band,
    order: &[usize],
) -> Result<Option<(ParallelRanges, Decision)>> {
    for position in 0..points.n_members().saturating_sub(1) {
        if !site.parallel_pays_inside(&order[..position]) {
            return Ok(None);
        }
        let loops = &points.schedule.members()[..=position];
        if let Some(ranges) = independent_ranges(site.reaching, loops, site.independence)? {
            let decision = Decision::Parallel(Threads::Ranges(order[position]));
            return Ok(Some((ParallelRanges { position, ranges }, decision)));
        }
    }
    Ok(None)
}

/// Chunks of an innermost loop as the parallel loop: where the only independent member runs
/// innermost, a loop over chunks of [`rectangular::DEFAULT_VECTOR_TILE`] of its values is put
/// outside all others. That is tiling with a single tile loop, legal in permutable bands.
///
/// None if the band is not permutable, or that loop is not independent or has too little work.
fn choose_chunks(site: &BandSite, plan: &PointPlan) -> Result<Option<(OuterLoops, Decision)>> {
    let Some(&member) = plan.order.last() else { return Ok(None) };
    let pays = site.parallel_pays_inside(&[])
        && site.nest.extent(member) > rectangular::DEFAULT_VECTOR_TILE;
    if !site.band.permutable || site.n_members() < 2 || !pays {
        return Ok(None);
    }
    let alone = &site.members()[member..=member];
    let Some(private) = site.private_variables(alone)? else { return Ok(None) };
    let (band, _) = Band::from_member(alone[0].clone())
        .tile(&[Int::from(rectangular::DEFAULT_VECTOR_TILE)], TileLoops::Scaled)?;
    let parallel = Some(ParallelLoop::independent(0, private));
    let decision = Decision::Parallel(Threads::Chunks(member));
    Ok(Some((OuterLoops { band, is_tiled: true, parallel }, decision)))
}
