//! Which loop runs in parallel, and how the tree says so.
//!
//! One parallel region per nest is entered as rarely as possible: the outermost independent
//! loop is taken, a coincident member of a permutable band is moved outside first, and a loop whose
//! entries have too little work ([`crate::cost::profitability::parallel_pays`]) stays sequential. Tiles
//! without an independent loop are run in diagonals: whole rows of tiles where they can start
//! concurrently ([`crate::band::concurrent_start`]), growing ones elsewhere ([`crate::loops::wavefront`]); or rows of tiles
//! follow each other as in a pipeline, each tile waiting only for those that it needs.
use crate::band::concurrent_start::concurrent_tiles;
use crate::band::plan::Plan;
use crate::cost::nest::Nest;
use crate::cost::profitability::{MINIMUM_REPEATED_WORK, parallel_pays};
use crate::legality::independence::Independence;
use crate::loops::split_at_carried_iteration::{Range, independent_ranges};
use crate::loops::wavefront;
use crate::tile::rectangular;
use crate::{Decision, Options, Threads};
use loopwright_presburger::{Int, Name, Result, UnionPwAff};
use loopwright_schedule::{Band, LoopKind, LoopMark, Node, Reaching, TileLoops};

/// Iterations of a parallel loop for each core: with fewer, some cores have nothing to do in the end.
const ITERATIONS_PER_CORE: i64 = 4;

/// The outer loops that a band becomes: tile loops, or all loops if it is not tiled.
#[derive(Clone, Debug)]
pub struct OuterLoops {
    /// The loops.
    pub band: Band,
    /// Whether the point loops stand inside them.
    pub is_tiled: bool,
    /// The one among them that runs on several threads.
    pub parallel: Option<ParallelLoop>,
}

/// A loop whose iterations run on several threads.
#[derive(Clone, Debug)]
pub struct ParallelLoop {
    /// Its position among the loops.
    pub position: usize,
    /// How its iterations depend on each other.
    pub kind: LoopKind,
    /// The variables private to its iterations.
    pub private: Vec<Name>,
    /// Whether the iterations of the next loop are independent as well, and threads share those of both.
    pub is_collapsed: bool,
}

impl ParallelLoop {
    /// The loop at a position, whose iterations are independent up to private variables.
    pub fn independent(position: usize, private: Vec<Name>) -> ParallelLoop {
        ParallelLoop { position, kind: LoopKind::Parallel, private, is_collapsed: false }
    }

    /// The loop after `first` as well, if that has too few `iterations` for all cores and the last of `loops`, which
    /// is the next one, is independent too.
    ///
    /// # Errors
    /// For malformed trees.
    fn collapsed(
        mut self,
        iterations: i64,
        loops: &[UnionPwAff],
        reaching: &Reaching,
        independence: &Independence,
        plan: &mut Plan,
        options: &Options,
    ) -> Result<ParallelLoop> {
        let cores = i64::try_from(options.machine.cores).unwrap_or(i64::MAX);
        if self.private.is_empty() && iterations < cores.saturating_mul(ITERATIONS_PER_CORE) {
            let private = independence.private_scalars(reaching, loops)?;
            self.is_collapsed = private.is_some_and(|private| private.is_empty());
        }
        if self.is_collapsed {
            plan.decisions.push(Decision::Collapsed);
        }
        Ok(self)
    }
}

/// The tile loops of `band`, the parallel one among them chosen. Tiles on
/// diagonals are not tiled again.
///
/// # Errors
/// For malformed trees.
pub fn choose_tile_loop(
    band: &Band,
    sizes: &[i64],
    nest: &Nest,
    reaching: &Reaching,
    independence: &Independence,
    plan: &mut Plan,
    options: &Options,
) -> Result<OuterLoops> {
    let factors = &options.tile_factors;
    let tiles = rectangular::tile_loops(band, sizes, factors)?;
    let outside: Vec<(usize, i64)> = (0..nest.first).map(|dim| (dim, 1)).collect();
    if !parallel_pays(nest, &outside) {
        plan.decisions.push(Decision::Sequential("too little work"));
        return sequential_tiles(tiles, plan, options);
    }
    // Any member may be the outermost tile loop; a loop over points that is independent there
    // is independent over tiles as well.
    let n = band.n_members();
    let coincident = (0..n).filter(|&member| band.members[member].coincident);
    let outer = rectangular::outer_sizes(sizes, factors);
    for member in coincident.filter(|&member| nest.extent(member) > outer[member]) {
        let alone = &band.schedule.members()[member..=member];
        if let Some(private) = independence.private_variables(reaching, alone)? {
            let order = match plan.tile_order(Some(member), options) {
                Some(order) => order,
                None => {
                    let others = (0..tiles.n_members()).filter(|&other| other != member);
                    [member].into_iter().chain(others).collect()
                }
            };
            plan.decisions.push(Decision::Parallel(Threads::TileLoop(member)));
            let band = tiles.permute(&order)?;
            let mut parallel = ParallelLoop::independent(0, private);
            if factors.is_empty() && n > 1 && band.members[1].coincident {
                let loops = &band.schedule.members()[..2];
                let tiles = nest.extent(member) / sizes[member].max(1);
                parallel =
                    parallel.collapsed(tiles, loops, reaching, independence, plan, options)?;
            }
            return Ok(OuterLoops { band, is_tiled: true, parallel: Some(parallel) });
        }
    }
    if let Some(outer) = concurrent_tiles(band, nest, reaching, independence, plan, options)? {
        return Ok(outer);
    }
    let waves = nest.extent(0) / sizes[0].max(1) + nest.extent(1) / sizes[1].max(1) + 1;
    if nest.work_per_entry(&outside) / waves >= MINIMUM_REPEATED_WORK {
        if options.point_to_point
            && let Some(outer) = pipelined_tiles(band, sizes, reaching, independence)?
        {
            plan.decisions.push(Decision::Parallel(Threads::Pipeline));
            return Ok(outer);
        }
        if let Some(outer) = diagonal_tiles(band, sizes, 2, reaching, independence)? {
            plan.decisions.push(Decision::Parallel(Threads::Diagonals));
            return Ok(outer);
        }
    }
    plan.decisions.push(Decision::Sequential("no independent tile loop with enough work"));
    sequential_tiles(tiles, plan, options)
}

/// Loops over tiles, none of them parallel, in the order that suits what is in them.
///
/// # Errors
/// For malformed trees.
pub fn sequential_tiles(tiles: Band, plan: &Plan, options: &Options) -> Result<OuterLoops> {
    let band = match plan.tile_order(None, options) {
        Some(order) => tiles.permute(&order)?,
        None => tiles,
    };
    Ok(OuterLoops { band, is_tiled: true, parallel: None })
}

/// Tiles of `band` in diagonals of the first `n_summed` members, those on a diagonal in parallel; none if
/// they are not independent.
///
/// # Errors
/// For malformed trees.
pub fn diagonal_tiles(
    band: &Band,
    sizes: &[i64],
    n_summed: usize,
    reaching: &Reaching,
    independence: &Independence,
) -> Result<Option<OuterLoops>> {
    let (tiles, _) = rectangular::tile(band, sizes, TileLoops::Unscaled)?;
    let Some(band) = wavefront::skew(&tiles, n_summed)? else { return Ok(None) };
    let private = independence.private_variables(reaching, &band.schedule.members()[..2])?;
    let parallel = private.map(|private| ParallelLoop::independent(1, private));
    Ok(parallel.map(|parallel| OuterLoops { band, is_tiled: true, parallel: Some(parallel) }))
}

/// Tiles of `band` in rows that run as a pipeline; none if they may not.
///
/// # Errors
/// For malformed trees.
fn pipelined_tiles(
    band: &Band,
    sizes: &[i64],
    reaching: &Reaching,
    independence: &Independence,
) -> Result<Option<OuterLoops>> {
    if band.n_members() < 2 {
        return Ok(None);
    }
    // Rows count their steps by ones, so that all have the same.
    let (tiles, _) = rectangular::tile(band, sizes, TileLoops::Unscaled)?;
    let private = independence.pipeline_scalars(reaching, &tiles.schedule.members()[..2])?;
    let kind = LoopKind::Pipelined;
    let parallel =
        private.map(|private| ParallelLoop { position: 0, kind, private, is_collapsed: false });
    Ok(parallel.map(|parallel| OuterLoops {
        band: tiles,
        is_tiled: true,
        parallel: Some(parallel),
    }))
}

/// The loops of an untiled band, given in the order `plan` has found so far; a coincident one may
/// move outside, then `plan` is changed. None of them is parallel if none is independent and has
/// enough work.
///
/// # Errors
/// For malformed trees.
pub fn choose_loop(
    points: &Band,
    nest: &Nest,
    reaching: &Reaching,
    independence: &Independence,
    plan: &mut Plan,
    options: &Options,
) -> Result<OuterLoops> {
    let mut outer = OuterLoops { band: points.clone(), is_tiled: false, parallel: None };
    let n = points.n_members();
    let movable = (0..n.saturating_sub(1)).find(|&member| points.members[member].coincident);
    if let Some(member) = movable.filter(|&member| member > 0 && points.permutable) {
        let mut order = vec![member];
        order.extend((0..n).filter(|&other| other != member));
        outer.band = points.permute(&order)?;
        plan.order = order.iter().map(|&position| plan.order[position]).collect();
    }
    let mut outside: Vec<(usize, i64)> = (0..nest.first).map(|dim| (dim, 1)).collect();
    for position in 0..n {
        if !parallel_pays(nest, &outside) {
            return Ok(outer);
        }
        let member = plan.order[position];
        if nest.extent(member) > 1 {
            let loops = &outer.band.schedule.members()[..=position];
            if let Some(private) = independence.private_variables(reaching, loops)? {
                plan.decisions.push(Decision::Parallel(Threads::TiledLoop(member)));
                let mut parallel = ParallelLoop::independent(position, private);
                // The innermost loop is for vectors.
                if position + 2 < n && outer.band.members[position + 1].coincident {
                    let loops = &outer.band.schedule.members()[..=position + 1];
                    let values = nest.extent(member);
                    parallel =
                        parallel.collapsed(values, loops, reaching, independence, plan, options)?;
                }
                outer.parallel = Some(parallel);
                return Ok(outer);
            }
        }
        outside.push((nest.first + member, 1));
    }
    Ok(outer)
}

/// The outermost loop of an untiled band that becomes independent by a split at one iteration
/// ([`independent_ranges`]) and has enough work, with its position; never the innermost loop.
///
/// # Errors
/// For malformed trees.
pub fn choose_ranges(
    points: &Band,
    nest: &Nest,
    reaching: &Reaching,
    independence: &Independence,
    plan: &mut Plan,
) -> Result<Option<(usize, Vec<Range>)>> {
    let mut outside: Vec<(usize, i64)> = (0..nest.first).map(|dim| (dim, 1)).collect();
    for position in 0..points.n_members().saturating_sub(1) {
        if !parallel_pays(nest, &outside) {
            return Ok(None);
        }
        let member = plan.order[position];
        let loops = &points.schedule.members()[..=position];
        if let Some(ranges) = independent_ranges(reaching, loops, independence)? {
            plan.decisions.retain(|decision| !matches!(decision, Decision::Sequential(_)));
            plan.decisions.push(Decision::Parallel(Threads::Ranges(member)));
            return Ok(Some((position, ranges)));
        }
        outside.push((nest.first + member, 1));
    }
    Ok(None)
}

/// Chunks of an innermost loop as the parallel loop: where the only independent member runs
/// innermost, a loop over chunks of [`rectangular::DEFAULT_VECTOR_TILE`] of its values is put
/// outside all others. That is tiling with a single tile loop, legal in permutable bands.
///
/// None if the band is not permutable, or that loop is not independent or has too little work.
///
/// # Errors
/// For malformed trees.
pub fn choose_chunks(
    band: &Band,
    nest: &Nest,
    reaching: &Reaching,
    independence: &Independence,
    plan: &mut Plan,
) -> Result<Option<OuterLoops>> {
    let Some(&member) = plan.order.last() else { return Ok(None) };
    let outside: Vec<(usize, i64)> = (0..nest.first).map(|dim| (dim, 1)).collect();
    let pays =
        parallel_pays(nest, &outside) && nest.extent(member) > rectangular::DEFAULT_VECTOR_TILE;
    if !band.permutable || band.n_members() < 2 || !pays {
        return Ok(None);
    }
    let alone = &band.schedule.members()[member..=member];
    let Some(private) = independence.private_variables(reaching, alone)? else { return Ok(None) };
    let (chunks, _) = Band::from_member(alone[0].clone())
        .tile(&[Int::from(rectangular::DEFAULT_VECTOR_TILE)], TileLoops::Scaled)?;
    plan.decisions.push(Decision::Parallel(Threads::Chunks(member)));
    Ok(Some(OuterLoops {
        band: chunks,
        is_tiled: true,
        parallel: Some(ParallelLoop::independent(0, private)),
    }))
}

/// The bands for `band` above `child` with the loop that runs on several threads marked.
pub fn mark_parallel(band: &Band, parallel: &ParallelLoop, child: Node) -> Node {
    let ParallelLoop { position, kind, private, is_collapsed } = parallel;
    match kind {
        LoopKind::Parallel if *is_collapsed => {
            let (outer, rest) = band.split(*position);
            let (first, rest) = rest.split(1);
            let below = mark_member(&rest, 0, *kind, &[], child);
            nonempty_band(outer, mark_band(first, *kind, private, below))
        }
        LoopKind::Parallel | LoopKind::Vector => {
            mark_member(band, *position, *kind, private, child)
        }
        LoopKind::Pipelined => {
            let (outer, rows) = band.split(*position);
            nonempty_band(outer, mark_band(rows, *kind, private, child))
        }
    }
}

/// The bands for `band` above `child` with member `member` marked: it becomes a band of its own
/// under the mark, the members before and after it bands around.
pub fn mark_member(
    band: &Band,
    member: usize,
    kind: LoopKind,
    private: &[Name],
    child: Node,
) -> Node {
    let (outer, rest) = band.split(member);
    let (single, inner) = rest.split(1);
    let below = nonempty_band(inner, child);
    nonempty_band(outer, mark_band(single, kind, private, below))
}

/// A band above `child`, its first loop marked.
pub fn mark_band(band: Band, kind: LoopKind, private: &[Name], child: Node) -> Node {
    let mark = LoopMark { kind, private: private.to_vec(), reductions: Vec::new() }.to_string();
    Node::mark(&mark, Node::band(band, child))
}

/// `child` below `band`, or alone if the band has no members.
pub fn nonempty_band(band: Band, child: Node) -> Node {
    if band.n_members() == 0 { child } else { Node::band(band, child) }
}
