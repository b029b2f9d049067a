//! Hexagonal tiles on a device: a row of hexagons is one launch, hexagons are blocks, and in each of them the
//! threads of a block share the places of one time step after the other, with barriers between.
//!
//! The loops over tiles are those of the processor (`loopwright_transform::tile::hexagon`), around the
//! program's own order: in each tile that is a step of time, then a statement, then places, which are
//! independent of each other. Along other dimensions of the data tiles run one after the other in a block.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::constraints::{Wanted, constraints};
use crate::pipeline::generated_on_device::Mapped;
use crate::pipeline::given_schedule::with_flags_found;
use crate::pipeline::one_schedule::{ScheduleChoice, scheduled};
use crate::pipeline::outcome::Stage;
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::run::{Run, stage_budget_by};
use crate::pipeline::without_kills::executable_part;
use crate::settings::options::CompileOptions;
use loopwright_dataflow::Dependences;
use loopwright_device::{
    KernelPlan, TileBoxes, TileExtents, TilesAsBlocks, tile_plan, tiles_as_blocks, with_barriers,
    with_tile_boxes,
};
use loopwright_presburger::{Budget, Error, Result, Space, UnionMap};
use loopwright_schedule::{Band, Node, Reaching, ScheduleTree};
use loopwright_scop::Scop;
use loopwright_transform::tile::tiling::{Request, TiledBand, tiled_band};
use loopwright_transform::tile::tiling_cost::Workload;
use loopwright_transform::{BandReport, Decision, Report, TileSizes, Tiling};

/// Steps for finding tiles, and for barriers between their threads.
const STEPS: u64 = 60_000_000;

/// Steps for boxes of tiles, and for the dependences and barriers of their copies.
const BOX_STEPS: u64 = 12_000_000;

/// Sizes by member of the band for one, two and three dimensions of data: steps of time, the width of
/// hexagons, other tiles.
const SIZES: [&[i64]; 3] = [&[16, 256], &[8, 16, 32], &[4, 8, 8, 32]];

/// The same where values are in shared memory, the largest ones first.
const SIZES_OF_BOXES: [&[&[i64]]; 3] = [
    &[&[64, 256], &[16, 128]],
    &[&[8, 32, 64], &[8, 16, 32], &[4, 16, 32], &[4, 8, 16]],
    &[&[4, 8, 8, 16], &[2, 8, 8, 16], &[2, 4, 8, 16], &[2, 4, 4, 8]],
];

/// The sizes that the user gives, or else those of our choice, the largest ones first.
pub(crate) fn wanted_hexagons(scop: &Scop, options: &CompileOptions) -> Vec<Vec<i64>> {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let n = executed.map(|statement| statement.domain.n_dims()).max().unwrap_or(0);
    let dimensions = n.saturating_sub(2).min(SIZES.len() - 1);
    match &options.tile_sizes {
        TileSizes::Given(sizes) => vec![sizes.clone()],
        _ => SIZES_OF_BOXES[dimensions].iter().map(|sizes| sizes.to_vec()).collect(),
    }
}

/// A region in hexagons.
pub(crate) struct Hexagons {
    /// The tree with tiles as blocks, without barriers.
    tree: ScheduleTree,
    plans: Vec<KernelPlan>,
    bands: Report,
    /// Sizes of tiles without the first one, that of time.
    block: Vec<i64>,
}

/// The region in hexagonal tiles of some sizes, or of those that are wanted, with blocks and threads;
/// otherwise the reason why there are none.
///
/// # Errors
/// Those of the operations, a limit among them.
pub(crate) fn hexagons(
    analysed: &Analysed,
    wanted: Option<&[i64]>,
    run: Run<'_>,
) -> Result<std::result::Result<Hexagons, String>> {
    let Analysed { region, dependences, .. } = analysed;
    let scop = &region.scop;
    let found = scheduled(analysed, &run.options.scheduling, run)?.tree;
    let Node::Band(band, _) = &found.root else {
        return Ok(Err("there is no single band around all statements".to_string()));
    };
    let budget = run.effort().budget(STEPS);
    let tiles =
        run.time(Stage::Transform, || loops_of(analysed, (&found, band), wanted, run, &budget))?;
    let TiledBand { tiling, loops, sizes, cost } = match tiles {
        Ok(tiles) => tiles,
        Err(reason) => return Ok(Err(reason)),
    };
    let own = executable_part(scop, &scop.schedule)?;
    let root = with_points(loops, &own.root)?;
    let tree = ScheduleTree::new(own.domain, root);
    let block = sizes[1..].to_vec();
    let (tree, plans) = run.time(Stage::Transform, || {
        let known = constraints(scop, dependences, Wanted::by(run.options), run.effort())?;
        let flagged = with_flags_found(tree, &known, &budget);
        let extents = TileExtents { block: &block, widest: &block, shared_bytes: 0 };
        let TilesAsBlocks { tree, plans } =
            tiles_as_blocks(&flagged, scop, extents, &run.options.devices.device)?;
        Ok::<_, Error>((
            with_private_scalars(scop, dependences, &tree, &stage_budget_by(run.options))?,
            plans,
        ))
    })?;
    let statements = scop.statements.iter().filter(|statement| !statement.is_kill);
    let report = BandReport {
        statements: statements.map(|statement| statement.name.to_string()).collect(),
        coincident: vec![false; sizes.len()],
        order: (0..sizes.len()).collect(),
        tile_sizes: sizes.clone(),
        decisions: vec![Decision::Shaped { tiling, sizes, cost }],
        ..BandReport::default()
    };
    Ok(Ok(Hexagons { tree, plans, bands: Report { bands: vec![report] }, block }))
}

impl Hexagons {
    /// With values that pass through the memory of the device.
    ///
    /// # Errors
    /// Those of the operations, a limit among them.
    pub(crate) fn in_device_memory(self, analysed: &Analysed, run: Run<'_>) -> Result<Mapped> {
        let Analysed { region, dependences, .. } = analysed;
        let budget = run.effort().budget(STEPS);
        let tree = run.time(Stage::Transform, || {
            with_barriers(&self.tree, &region.scop, dependences, &budget)
        })?;
        let mut chosen = ScheduleChoice::untransformed(tree, run.options);
        chosen.bands = self.bands;
        Ok(Mapped {
            chosen,
            scop: region.scop.clone(),
            dependences: dependences.clone(),
            promotion: None,
            has_tile_boxes: false,
            plans: self.plans,
            tiles: None,
        })
    }

    /// With what tiles access of arrays in shared memory; otherwise the reason why there is none of that.
    ///
    /// # Errors
    /// Those of the operations, a limit among them.
    pub(crate) fn in_shared_memory(
        self,
        analysed: &Analysed,
        run: Run<'_>,
    ) -> Result<std::result::Result<Mapped, String>> {
        let Analysed { region, dependences, .. } = analysed;
        let budget = run.effort().budget(BOX_STEPS);
        let device = run.options.devices.limited_device();
        let given = (&region.scop, dependences);
        let found = run.time(Stage::Transform, || {
            with_tile_boxes(&self.tree, given, &device, &region.used_names, &budget)
        })?;
        let TileBoxes { tree, scop, promotion, decisions, shared_bytes } = match found {
            Ok(found) => found,
            Err(reason) => return Ok(Err(reason)),
        };
        let own = run.time(Stage::Dependences, || {
            dependences.beside_copies((&region.scop, &scop), &budget)
        })?;
        let tree = run.time(Stage::Transform, || with_barriers(&tree, &scop, &own, &budget))?;
        let extents = TileExtents { block: &self.block, widest: &self.block, shared_bytes };
        let plans = self
            .plans
            .iter()
            .map(|plan| tile_plan(plan.name.clone(), extents, &run.options.devices.device));
        let plans = plans.collect();
        let mut chosen = ScheduleChoice::untransformed(tree, run.options);
        chosen.bands = self.bands;
        chosen.notes.extend(decisions);
        let (promotion, has_tile_boxes) = (Some(promotion), true);
        let dependences = own;
        Ok(Ok(Mapped { chosen, scop, dependences, promotion, has_tile_boxes, plans, tiles: None }))
    }
}

/// The loops over the tiles of a band.
fn loops_of(
    analysed: &Analysed,
    (tree, band): (&ScheduleTree, &Band),
    wanted: Option<&[i64]>,
    run: Run<'_>,
    budget: &Budget,
) -> Result<std::result::Result<TiledBand, String>> {
    let n = band.n_members();
    let Some(own) = n.checked_sub(2).and_then(|dimensions| SIZES.get(dimensions)) else {
        return Ok(Err("there are not one, two or three dimensions of data".to_string()));
    };
    let sizes = match (wanted, &run.options.tile_sizes) {
        (Some(sizes), _) => sizes,
        (None, TileSizes::Given(sizes)) => sizes,
        (None, _) => *own,
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
