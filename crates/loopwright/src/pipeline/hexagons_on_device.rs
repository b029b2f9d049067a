//! Hexagonal tiles on a device: a row of hexagons is one launch, hexagons are blocks, and in each of them the threads of a block share the places of
//! one time step after the other, with barriers between.
//!
//! The loops over tiles are those of the processor (`loopwright_transform::tile::hexagon`), around the program's own order: in each tile that is a
//! step of time, then a statement, then places, which are independent of each other. Along other dimensions of the data tiles run one after the other in a block.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::constraints::{Wanted, constraints};
use crate::pipeline::given_schedule::with_flags_found;
use crate::pipeline::one_schedule::{ScheduleChoice, scheduled};
use crate::pipeline::outcome::Stage;
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::run::{Run, stage_budget};
use crate::pipeline::without_kills::executable_part;
use loopwright_dataflow::Dependences;
use loopwright_device::{KernelPlan, TileExtents, TilesAsBlocks, tiles_as_blocks, with_barriers};
use loopwright_presburger::{Budget, Error, Result, Space, UnionMap};
use loopwright_schedule::{Band, Node, Reaching, ScheduleTree};
use loopwright_scop::Scop;
use loopwright_transform::tile::tiling::{Request, TiledBand, tiled_band};
use loopwright_transform::tile::tiling_cost::Workload;
use loopwright_transform::{BandReport, Decision, Report, TileSizes, Tiling};

/// Steps for finding tiles, and for barriers between their threads.
const STEPS: u64 = 60_000_000;

/// Sizes by member of the band for one, two and three dimensions of data: steps of time, the width of hexagons, other tiles.
const SIZES: [&[i64]; 3] = [&[16, 256], &[8, 16, 32], &[4, 8, 8, 32]];

/// The region in hexagonal tiles with blocks, threads and barriers; otherwise the reason why there are none.
///
/// # Errors
/// Those of the operations, a limit among them.
pub(crate) fn hexagons_on_device(
    analysed: &Analysed,
    run: Run<'_>,
) -> Result<std::result::Result<(ScheduleChoice, Vec<KernelPlan>), String>> {
    let Analysed { region, dependences, .. } = analysed;
    let scop = &region.scop;
    let found = scheduled(analysed, &run.options.scheduling, run)?.tree;
    let Node::Band(band, _) = &found.root else {
        return Ok(Err("there is no single band around all statements".to_string()));
    };
    let budget = Budget::steps(STEPS);
    let tiles = run.time(Stage::Transform, || hexagons(analysed, (&found, band), run, &budget))?;
    let TiledBand { tiling, loops, sizes, cost } = match tiles {
        Ok(tiles) => tiles,
        Err(reason) => return Ok(Err(reason)),
    };
    let own = executable_part(scop, &scop.schedule)?;
    let root = with_points(loops, &own.root)?;
    let tree = ScheduleTree::new(own.domain, root);
    let (tree, plans) = run.time(Stage::Transform, || {
        let known = constraints(scop, dependences, Wanted::by(run.options))?;
        let flagged = with_flags_found(tree, &known, &budget);
        let block = &sizes[1..];
        let extents = TileExtents { block, widest: block, shared_bytes: 0 };
        let TilesAsBlocks { tree, plans } =
            tiles_as_blocks(&flagged, scop, extents, &run.options.devices.device)?;
        let tree = with_private_scalars(scop, dependences, &tree, &stage_budget())?;
        Ok::<_, Error>((with_barriers(&tree, scop, dependences, &budget)?, plans))
    })?;
    let mut chosen = ScheduleChoice::untransformed(tree, run.options);
    let statements = scop.statements.iter().filter(|statement| !statement.is_kill);
    let report = BandReport {
        statements: statements.map(|statement| statement.name.to_string()).collect(),
        coincident: vec![false; sizes.len()],
        order: (0..sizes.len()).collect(),
        tile_sizes: sizes.clone(),
        decisions: vec![Decision::Shaped { tiling, sizes, cost }],
        ..BandReport::default()
    };
    chosen.bands = Report { bands: vec![report] };
    Ok(Ok((chosen, plans)))
}

/// The loops over the tiles of a band.
fn hexagons(
    analysed: &Analysed,
    (tree, band): (&ScheduleTree, &Band),
    run: Run<'_>,
    budget: &Budget,
) -> Result<std::result::Result<TiledBand, String>> {
    let n = band.n_members();
    let Some(own) = n.checked_sub(2).and_then(|dimensions| SIZES.get(dimensions)) else {
        return Ok(Err("there are not one, two or three dimensions of data".to_string()));
    };
    let sizes = match &run.options.tile_sizes {
        TileSizes::Given(sizes) => sizes,
        _ => *own,
    };
    let workload = Workload::nominal(n);
    let request = Request {
        tiling: Tiling::Hexagonal,
        sizes,
        innermost: n - 1,
        point_to_point: false,
        workload: &workload,
    };
    let all = ordered(&analysed.region.scop, &analysed.dependences)?;
    let tiles = tiled_band(request, band, &Reaching::root(tree), &all, budget)?;
    Ok(tiles.map_err(|refusal| refusal.to_string()))
}

/// The pairs of instances of which the first comes before the second.
fn ordered(scop: &Scop, dependences: &Dependences) -> Result<UnionMap> {
    let Dependences { flow, order, forced, .. } = dependences;
    let relations = flow.iter().chain(order).chain(forced);
    let relations = relations.map(|dependence| dependence.relation.intersect_params(&scop.context));
    let relations = relations.collect::<Result<Vec<_>>>()?;
    Ok(UnionMap::from_maps(&Space::params(&[]), relations))
}

/// Loops over tiles with `points` wherever they are.
fn with_points(loops: Node, points: &Node) -> Result<Node> {
    loops.map_bottom_up(&mut |node| Ok(if node.is_leaf() { points.clone() } else { node }))
}
