//! The proofs of a compilation.
use crate::pipeline::generated::Generated;
use crate::pipeline::outcome::Proofs;
use crate::pipeline::region_result::DeviceResult;
use crate::settings::devices::TensorCores;
use crate::settings::effort::Effort;
use crate::settings::options::CompileOptions;
use loopwright_astgen::AstNode;
use loopwright_backend::device::Language;
use loopwright_dataflow::Dependences;
use loopwright_device::Transfers;
use loopwright_presburger::{Result, Set, Tuple};
use loopwright_schedule::{MatrixMark, Node, ScheduleTree};
use loopwright_scop::{ArrayId, FloatingType, Scop};
use loopwright_transform::cache_oblivious::ZoidProgram;
use loopwright_transform::packing::Packed;
use loopwright_verify::{
    ContractedProgram, DeviceText, ExpandedProgram, KernelLanguage, Loops, MatrixRules, NotRead,
    Printed, ProgramWithCopies, ProgramWithPartialResults, ProgramWithScans,
    ProgramWithoutAccumulators, PromotedProgram, Proof, RecomputingProgram, RecursiveProgram,
    check_accumulators, check_array_expansions, check_ast, check_atomic_updates, check_axes,
    check_barriers, check_cached_tiles, check_contractions, check_cuts, check_divisions,
    check_expansions, check_loops, check_matrix_products, check_memory, check_order_in_tiles,
    check_panels, check_parallel_loops, check_partial_results, check_printed, check_printed_device,
    check_promotion, check_recomputation, check_scans, check_schedule, check_tiles,
    check_transfers, check_zoids, divided_program,
};

/// The steps that each proof may take with the usual effort.
const PROOF_STEPS: u64 = 15_000_000;

/// Those of a product of matrices: one of `float` with 64 x 32 results of a warp takes 16 million.
const MATRIX_STEPS: u64 = 60_000_000;

/// The same where instances run more than once, and have twice the dimensions of the program's.
const RECOMPUTATION_STEPS: u64 = 100_000_000;

/// The two proofs about a schedule: of its order, and of its parallel loops.
pub(crate) fn prove_order(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    effort: &Effort,
) -> Result<Proofs> {
    Ok(vec![
        prove_schedule(scop, dependences, tree, effort)?,
        prove_parallel(scop, dependences, tree, effort)?,
    ])
}

/// Checks the schedule against the dependences.
fn prove_schedule(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let budget = effort.budget(PROOF_STEPS);
    let proof = check_schedule(scop, dependences, tree, &budget)?;
    let claim = match dependences.reassociated() {
        [] => "the schedule respects every dependence",
        _ => "the schedule respects every dependence but the order of reassociated updates",
    };
    Ok((claim, proof))
}

/// Checks that loops marked parallel carry no dependence, not even between reassociated updates, but
/// those that the loop is said to combine.
fn prove_parallel(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let budget = effort.budget(PROOF_STEPS);
    let proof = check_parallel_loops(scop, dependences, tree, &budget)?;
    Ok(("parallel loops carry no dependence", proof))
}

/// Checks that values in memory of blocks and threads of a device are those of the program.
pub(crate) fn prove_promotion(
    program: PromotedProgram<'_>,
    tree: &ScheduleTree,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let proof = check_promotion(program, tree, &effort.budget(RECOMPUTATION_STEPS))?;
    Ok(("values in shared memory and registers are those that the program has there", proof))
}

/// Checks that values in boxes of tiles, in memory of blocks, are those of the program.
pub(crate) fn prove_cached_tiles(
    program: PromotedProgram<'_>,
    tree: &ScheduleTree,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let proof = check_cached_tiles(program, tree, &effort.budget(RECOMPUTATION_STEPS))?;
    Ok((
        "tiles have the values in shared memory that the program has there, and store those that are needed",
        proof,
    ))
}

/// Checks that a program with partial results computes what the region does.
pub(crate) fn prove_partial_results(
    program: ProgramWithPartialResults<'_>,
    tree: &ScheduleTree,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let proof = check_partial_results(program, tree, &effort.budget(RECOMPUTATION_STEPS))?;
    Ok(("each update goes into one partial result, and each of these once into its element", proof))
}

/// Checks that a program with scans computes what the region does.
pub(crate) fn prove_scans(
    program: ProgramWithScans<'_>,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let proof = check_scans(program, &effort.budget(RECOMPUTATION_STEPS))?;
    Ok(("each value of a prefix combines the updates of that prefix, each once", proof))
}

/// Checks that what a program in tiles accesses has memory on a device.
pub(crate) fn prove_memory(
    tiled: &Scop,
    own: &Dependences,
    transfers: &Transfers,
    of_tiles: &[ArrayId],
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let proof = check_memory(tiled, transfers, of_tiles, own, &effort.budget(PROOF_STEPS))?;
    Ok(("what tiles access has memory on the device", proof))
}

/// Checks that blocks of a kernel are independent, and that barriers order threads.
pub(crate) fn prove_barriers(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    options: &CompileOptions,
) -> Result<(&'static str, Proof)> {
    let steps = if options.tiling.is_some() { SHAPE_STEPS } else { PROOF_STEPS };
    let proof = check_barriers(scop, dependences, tree, &options.embedding.effort.budget(steps))?;
    Ok((
        "what depends on each other in a launch is in one block, and in one thread or on both sides of a barrier",
        proof,
    ))
}

/// Checks that updates without an order are one instruction each.
pub(crate) fn prove_atomic_updates(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let proof = check_atomic_updates(scop, dependences, tree, &effort.budget(PROOF_STEPS))?;
    Ok(("updates that may run at any time are one instruction each", proof))
}

/// The sums that warps compute as products of matrices, by the types of their elements.
pub(crate) fn matrix_products(scop: &Scop, tree: &ScheduleTree) -> Vec<FloatingType> {
    let mut found = Vec::new();
    let type_of = |node: &Node| {
        let Node::Band(band, _) = node else { return None };
        let part = band.schedule.members().first()?.parts().first()?;
        let name = part.domain_space().output().and_then(Tuple::name)?;
        let target = scop.statement_named(name)?.body.plain_assignment()?.target.array;
        scop.array(target).floating_type()
    };
    tree.root.for_each(&mut |node| {
        if let Node::Mark(name, child) = node
            && MatrixMark::parse(name).is_some()
        {
            found.push(type_of(child).unwrap_or(FloatingType::Double));
        }
    });
    found
}

/// Checks what warps compute as products of matrices; nothing if there is nothing of that.
pub(crate) fn prove_matrix_products(
    scop: &Scop,
    tree: &ScheduleTree,
    options: &CompileOptions,
) -> Result<Option<(&'static str, Proof)>> {
    let products = matrix_products(scop, tree);
    if products.is_empty() {
        return Ok(None);
    }
    let steps = products.iter().fold(0, |steps: u64, _| steps.saturating_add(MATRIX_STEPS));
    let rounded_factors = options.devices.tensor_cores == TensorCores::Tf32;
    let rules = MatrixRules { in_any_order: options.reassociate, rounded_factors };
    let proof = check_matrix_products(scop, tree, rules, &options.embedding.effort.budget(steps))?;
    let claim = match products.contains(&FloatingType::Float) {
        true => {
            "products of matrices by warps are the program's updates, in any order, but that factors in float are rounded to tf32"
        }
        false => "products of matrices by warps are the program's updates, in any order",
    };
    Ok(Some((claim, proof)))
}

/// Checks what is copied to a device and back.
pub(crate) fn prove_transfers(
    scop: &Scop,
    dependences: &Dependences,
    transfers: &Transfers,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let proof = check_transfers(scop, dependences, transfers, &effort.budget(PROOF_STEPS))?;
    Ok((
        "what is copied to the device and back holds every value that is read or seen afterwards",
        proof,
    ))
}

/// The same for loops of a shape of tiles that was asked for: hexagons and their like have many kinds of
/// tiles and large coefficients.
const SHAPE_STEPS: u64 = 28_000_000;

/// What [`prove_ast`] claims.
const LOOPS_CLAIM: &str = "the generated loops run every instance once, in schedule order";

/// Checks the syntax tree against the schedule.
pub(crate) fn prove_ast(
    scop: &Scop,
    tree: &ScheduleTree,
    ast: &AstNode,
    options: &CompileOptions,
) -> Result<(&'static str, Proof)> {
    let budget = options.embedding.effort.budget(if options.tiling.is_some() {
        SHAPE_STEPS
    } else {
        PROOF_STEPS
    });
    Ok((LOOPS_CLAIM, check_ast(ast, tree, &scop.context, &budget)?))
}

/// Checks that loops over blocks and threads have the values of the tree.
pub(crate) fn prove_axes(
    scop: &Scop,
    tree: &ScheduleTree,
    ast: &AstNode,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let budget = effort.budget(PROOF_STEPS);
    let claim = "loops over blocks and threads have the values of the schedule";
    Ok((claim, check_axes(ast, tree, &scop.context, &budget)?))
}

/// Steps for proofs about tiles of variable sizes: some times the usual ones, since instances have a
/// coordinate more for each loop over tiles.
const VARIABLE_TILES_STEPS: u64 = 60_000_000;

/// Checks the order of a tree with tiles of variable sizes, and a syntax tree for it, for parameters in a
/// context with the sizes.
pub(crate) fn prove_variable_tiles(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    (context, ast): (&Set, &AstNode),
    effort: &Effort,
) -> Result<Proofs> {
    let budget = || effort.budget(VARIABLE_TILES_STEPS);
    Ok(vec![
        (
            "the schedule respects every dependence, and parallel loops carry none, for all sizes of tiles",
            check_order_in_tiles(scop, dependences, tree, &budget())?,
        ),
        (
            "the generated loops run every instance once, in schedule order, for all sizes of tiles",
            check_tiles(ast, tree, context, &budget())?,
        ),
    ])
}

/// Checks that a recursion over zoids keeps all instances and their order.
pub(crate) fn prove_zoids(
    scop: &Scop,
    dependences: &Dependences,
    zoids: &ZoidProgram,
    effort: &Effort,
) -> Result<Proofs> {
    let ZoidProgram { points, recursion, extremes, tree, moment, bounds, .. } = zoids;
    let first = extremes;
    let program = RecursiveProgram {
        scop,
        dependences,
        points,
        recursion,
        first,
        step: tree,
        moment,
        bounds,
    };
    let budget = || effort.budget(PROOF_STEPS);
    Ok(vec![
        (
            "each cut of a zoid keeps all its points and the order of dependences between the slopes, and calls end",
            check_cuts(recursion, &budget())?,
        ),
        (
            "every dependence is between the slopes, every instance is in the first zoid, and the loops are those of a moment",
            check_zoids(program, &budget())?,
        ),
    ])
}

/// What [`prove_text`] claims of a text that was read as a whole, and of one with other parts.
const TEXT_CLAIMS: [&str; 2] = [
    "the printed loops and subscripts are those of the schedule",
    "the printed loops and subscripts are those of the schedule, but for what is only tested",
];

/// Steps for comparing expressions of the printed text: most are the same sums, which needs none.
const TEXT_STEPS: u64 = 3_000_000;

/// What is known about a printed text: the claim with its proof, if it was read, and the parts that only
/// tests cover.
pub(crate) type TextProof = (Option<(&'static str, Proof)>, Vec<NotRead>);

/// Checks the printed text against the syntax tree.
pub(crate) fn prove_text(
    scop: &Scop,
    ast: &AstNode,
    text: &str,
    effort: &Effort,
) -> Result<TextProof> {
    let Printed { proof, not_read } = printed_text(scop, ast, text, effort)?;
    let claim = TEXT_CLAIMS[usize::from(!not_read.is_empty())];
    Ok((proof.map(|proof| (claim, proof)), not_read))
}

/// What a text does, beside what it is to do.
pub(crate) fn printed_text(
    scop: &Scop,
    ast: &AstNode,
    text: &str,
    effort: &Effort,
) -> Result<Printed> {
    check_printed(scop, ast, text, &effort.budget(TEXT_STEPS))
}

/// Checks the text of a region on a device, kernels and function, against the syntax tree and the plan of the
/// copies.
pub(crate) fn prove_device_text(
    ast: &AstNode,
    device: &DeviceResult,
    text: &str,
    effort: &Effort,
) -> Result<TextProof> {
    const CLAIMS: [&str; 2] = [
        "the printed kernels, launches and copies are those of the schedule",
        "the printed kernels, launches and copies are those of the schedule, but for what is only tested",
    ];
    let Printed { proof, not_read } = printed_device_text(ast, device, text, effort)?;
    let claim = CLAIMS[usize::from(!not_read.is_empty())];
    Ok((proof.map(|proof| (claim, proof)), not_read))
}

/// What a text for a device does, beside what it is to do.
pub(crate) fn printed_device_text(
    ast: &AstNode,
    device: &DeviceResult,
    text: &str,
    effort: &Effort,
) -> Result<Printed> {
    let language = match device.language {
        Language::Cuda => KernelLanguage::Cuda,
        Language::OpenCl => KernelLanguage::OpenCl,
    };
    let (overlaps, pins) = (device.copies.overlapped, device.copies.pinned);
    let most_of_parameters = device.region.most_of_parameters;
    let macros = &device.region.macros.0;
    let text = DeviceText { language, overlaps, pins, most_of_parameters, macros, text };
    check_printed_device(&device.scop, &device.transfers, ast, &text, &effort.budget(TEXT_STEPS))
}

/// Checks that expanded scalars have the values that they had in what was built: loops of the expanded
/// program, with or without panels.
///
/// # Errors
/// Those of reading the loops, a limit among them.
pub(crate) fn prove_expansions(
    program: ExpandedProgram,
    generated: &Generated,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let Generated { scop, tree, ast, loops, .. } = generated;
    let budget = || effort.budget(PROOF_STEPS);
    let proof = match loops {
        Some(loops) => check_expansions(program, scop, loops, &budget())?,
        None => {
            let loops = Loops::read(ast, &tree.flatten()?, &scop.context, &budget())?;
            check_expansions(program, scop, &loops, &budget())?
        }
    };
    Ok(("every read of an expanded scalar finds the value that the scalar had", proof))
}

/// Checks the syntax tree of a program in which instances run more than once against the schedule, and that
/// it computes what the program does. The loops that were read for that come with the proofs.
///
/// # Errors
/// Those of reading the tree, a limit among them.
pub(crate) fn prove_recomputation(
    program: RecomputingProgram<'_>,
    tree: &ScheduleTree,
    ast: &AstNode,
    effort: &Effort,
) -> Result<(Proofs, Loops)> {
    let budget = || effort.budget(RECOMPUTATION_STEPS);
    let context = &program.tiled.context;
    let loops = Loops::read(ast, &tree.flatten()?, context, &budget())?;
    let proofs = vec![
        (LOOPS_CLAIM, check_loops(&loops, tree, context, &budget())?),
        (
            "every instance that tiles recompute reads the values that it reads in the program, and the last values are the program's",
            check_recomputation(program, &loops, &budget())?,
        ),
    ];
    Ok((proofs, loops))
}

/// Checks that elements that take the place of scalars have their values.
pub(crate) fn prove_accumulators(
    program: ProgramWithoutAccumulators<'_>,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let proof = check_accumulators(program, &effort.budget(PROOF_STEPS))?;
    Ok(("elements in place of local variables have the values that these have", proof))
}

/// Checks that copies of arrays have the values that the arrays had, in the program's order.
pub(crate) fn prove_array_expansions(
    program: ProgramWithCopies<'_>,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let proof = check_array_expansions(program, &effort.budget(PROOF_STEPS))?;
    Ok(("every value of an array with copies is read in its copy", proof))
}

/// Checks that elements which share cells keep their values, in the program's order.
pub(crate) fn prove_contractions(
    program: ContractedProgram<'_>,
    effort: &Effort,
) -> Result<(&'static str, Proof)> {
    let proof = check_contractions(program, &effort.budget(PROOF_STEPS))?;
    Ok(("every value of a contracted array stays in its cell until its last use", proof))
}

/// Checks the syntax tree of a program with panels against the schedule, and that panels hold what they
/// stand for. The loops that were read for that come with the proofs.
///
/// # Errors
/// Those of reading the tree, a limit among them.
pub(crate) fn prove_loops_with_panels(
    original: &Scop,
    packed: &Packed,
    ast: &AstNode,
    effort: &Effort,
) -> Result<(Proofs, Loops)> {
    let budget = || effort.budget(PROOF_STEPS);
    let Packed { tree, scop, panels, divisions, .. } = packed;
    let loops = Loops::read(ast, &tree.flatten()?, &scop.context, &budget())?;
    let divided = divided_program(original, scop, divisions)?;
    let mut proofs = vec![
        (LOOPS_CLAIM, check_loops(&loops, tree, &scop.context, &budget())?),
        (
            "every panel element that is read holds the value it stands for",
            check_panels(&divided, scop, panels, &loops, &budget())?,
        ),
    ];
    if !divisions.is_empty() {
        let proof = check_divisions(original, scop, divisions, &budget())?;
        proofs.push(("every instance is one of a single statement, with panels or without", proof));
    }
    Ok((proofs, loops))
}
