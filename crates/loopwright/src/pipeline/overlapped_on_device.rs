//! Overlapped tiles on a device: tiles are blocks, their arrays lie in memory that the threads of a block
//! share, and threads wait for each other between the steps of a tile.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::constraints::{Wanted, constraints};
use crate::pipeline::given_schedule::with_flags_found;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::{Proofs, Stage};
use crate::pipeline::overlapped::overlapped_by;
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::prove::{prove_memory, prove_recomputation};
use crate::pipeline::run::{Run, stage_budget_by};
use crate::settings::effort::Effort;
use crate::settings::options::CompileOptions;
use loopwright_astgen::AstNode;
use loopwright_backend::device::is_linear;
use loopwright_dataflow::Dependences;
use loopwright_device::{
    DeviceArray, KernelPlan, TileExtents, TilesAsBlocks, Transfers, tiles_as_blocks, with_barriers,
};
use loopwright_presburger::Result;
use loopwright_schedule::{LocalMark, MemorySpace, Node, ScheduleTree};
use loopwright_scop::{ArrayId, PrivateArray, Scop};
use loopwright_transform::TileSizes;
use loopwright_transform::overlapped::{Overlapped, Overlapping, Side};
use loopwright_verify::RecomputingProgram;

/// Steps for the dependences of a program in tiles and its barriers: there are twice as many dimensions.
const TILED_STEPS: u64 = 100_000_000;

/// Sizes of tiles, the number of steps first, for one, two and three dimensions of data, the largest ones
/// first.
const SIZES: [&[&[i64]]; 3] = [
    &[&[8, 512], &[4, 256]],
    &[&[4, 32, 32], &[2, 32, 32], &[2, 16, 32], &[1, 16, 32]],
    &[&[2, 4, 4, 32], &[1, 4, 4, 32], &[1, 4, 4, 16], &[1, 2, 4, 16]],
];

/// The program of a region in tiles, with kernels.
pub(crate) struct TiledOnDevice {
    pub(crate) tiled: Overlapped,
    pub(crate) dependences: Dependences,
    pub(crate) chosen: ScheduleChoice,
    pub(crate) plans: Vec<KernelPlan>,
}

/// The sizes of tiles that the user gives, or else those of our choice for as many dimensions as the data
/// has, the largest ones first.
pub(crate) fn wanted_sizes(scop: &Scop, options: &CompileOptions) -> Vec<Vec<i64>> {
    match &options.tile_sizes {
        TileSizes::Given(sizes) => vec![sizes.clone()],
        _ => default_sizes(scop),
    }
}

/// The region in overlapped tiles of the first of some sizes that fit, with blocks, threads and barriers;
/// otherwise the reason why there are none.
///
/// # Errors
/// Those of the operations, a limit among them.
pub(crate) fn overlapped_on_device(
    analysed: &Analysed,
    candidates: &[Vec<i64>],
    run: Run<'_>,
) -> Result<std::result::Result<TiledOnDevice, String>> {
    let tiled = match run.time(Stage::Transform, || first_that_fits(analysed, candidates, run))? {
        Ok(tiled) => tiled,
        Err(reason) => return Ok(Err(format!("no overlapped tiles: {reason}"))),
    };
    let budget = run.effort().budget(TILED_STEPS);
    let own = run.time(Stage::Dependences, || Dependences::of_scop(&tiled.scop, &budget))?;
    let (tree, plans) = run.time(Stage::Transform, || {
        let known = constraints(&tiled.scop, &own, Wanted::by(run.options), run.effort())?;
        let flagged = with_flags_found(tiled.tree.clone(), &known, &budget);
        let TilesAsBlocks { tree, plans } = blocks(&tiled, &flagged, run.options)?;
        let steps = stage_budget_by(run.options);
        let private = with_private_scalars(&tiled.scop, &own, &tree, &steps)?;
        Ok((with_barriers(&private, &tiled.scop, &own, &budget)?, plans))
    })?;
    let mut chosen = ScheduleChoice::untransformed(tree, run.options);
    chosen.bands = tiled.report.clone();
    Ok(Ok(TiledOnDevice { tiled, dependences: own, chosen, plans }))
}

/// The tree with tiles as blocks.
fn blocks(
    tiled: &Overlapped,
    tree: &ScheduleTree,
    options: &CompileOptions,
) -> Result<TilesAsBlocks> {
    let growth = &tiled.growth;
    let by = |sides: &[Side; 2]| sides.iter().map(|side| side.per_step).sum::<i64>();
    let widest = growth.sizes.iter().zip(&growth.sides);
    let widest: Vec<i64> = widest.map(|(size, sides)| size + by(sides) * growth.steps).collect();
    let extents = TileExtents {
        block: &growth.sizes,
        widest: &widest,
        shared_bytes: shared_bytes(tiled).unwrap_or(0),
    };
    tiles_as_blocks(tree, &tiled.scop, extents, &options.devices.device)
}

/// The program in the first tiles whose arrays fit in shared memory.
fn first_that_fits(
    analysed: &Analysed,
    candidates: &[Vec<i64>],
    run: Run<'_>,
) -> Result<std::result::Result<Overlapped, String>> {
    let mut reason = "there are no sizes for them".to_string();
    for sizes in candidates {
        let tiled = match overlapped_by(analysed, sizes, run.options)? {
            Overlapping::Tiled(tiled) => *tiled,
            Overlapping::Refused(reason) => return Ok(Err(reason)),
        };
        let most = run.options.devices.limited_device().block_shared_bytes;
        match shared_bytes(&tiled) {
            Some(bytes) if bytes <= most => return Ok(Ok(tiled)),
            Some(bytes) => {
                reason = format!(
                    "their arrays need {bytes} bytes of shared memory, of which a block may have {most}"
                );
            }
            None => return Ok(Err("the sizes of their arrays are not known".to_string())),
        }
    }
    Ok(Err(reason))
}

/// The bytes of the arrays of a tile.
fn shared_bytes(tiled: &Overlapped) -> Option<u64> {
    let bytes = |private: &PrivateArray| -> Option<u64> {
        let array = tiled.scop.array(private.local);
        let element = array.element_bytes?;
        array
            .extent_texts
            .iter()
            .try_fold(element, |bytes, extent| bytes.checked_mul(extent.parse().ok()?))
    };
    tiled.recomputation.arrays.iter().map(bytes).sum()
}

/// Sizes for as many dimensions as the data of a region has, the largest ones first.
fn default_sizes(scop: &Scop) -> Vec<Vec<i64>> {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let n = executed.map(|statement| statement.domain.n_dims()).max().unwrap_or(0);
    SIZES[n.saturating_sub(2).min(SIZES.len() - 1)].iter().map(|sizes| sizes.to_vec()).collect()
}

/// The transfers of the region with what copies into tiles read, and with memory for second buffers, which is
/// neither copied to the device nor back.
///
/// # Errors
/// Those of operations on sets.
pub(crate) fn with_buffers(
    transfers: &Transfers,
    (tiled, own): (&Overlapped, &Dependences),
    effort: &Effort,
) -> Result<Transfers> {
    let is_linear = |array| is_linear(&tiled.scop, array);
    let mut all = transfers.clone().with_reads_of(&tiled.scop, own, &is_linear, &effort.stage())?;
    for buffer in &tiled.recomputation.buffers {
        let Some(of) = transfers.of(buffer.of) else { continue };
        all.arrays.push(DeviceArray {
            array: buffer.array,
            copy_in: None,
            copy_out: None,
            is_written: true,
            ..of.clone()
        });
    }
    Ok(all)
}

/// The proofs about a program in tiles, besides those of its order.
pub(crate) fn prove_tiles(
    analysed: &Analysed,
    (tiled, own): (&Overlapped, &Dependences),
    (chosen, ast): (&ScheduleChoice, &AstNode),
    transfers: &Transfers,
    effort: &Effort,
) -> Result<Proofs> {
    let Analysed { region, dependences, .. } = analysed;
    let Overlapped { scop, recomputation, .. } = tiled;
    let program =
        RecomputingProgram { original: &region.scop, dependences, tiled: scop, own, recomputation };
    let (mut proofs, _) = prove_recomputation(program, &chosen.tree, ast, effort)?;
    let is_declared = |array: &ArrayId| {
        let mark =
            LocalMark { array: scop.array(*array).tuple_name.clone(), space: MemorySpace::Shared };
        has_mark(&chosen.tree.root, &mark.to_string())
    };
    let arrays = recomputation.arrays.iter().filter(|array| is_declared(&array.local));
    let of_tiles: Vec<ArrayId> = arrays.flat_map(|array| [array.array, array.local]).collect();
    proofs.push(prove_memory(scop, own, transfers, &of_tiles, effort)?);
    Ok(proofs)
}

fn has_mark(node: &Node, mark: &str) -> bool {
    !node.every_descendant(&|node| !matches!(node, Node::Mark(name, _) if &**name == mark))
}
