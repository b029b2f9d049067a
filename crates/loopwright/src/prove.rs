//! The proofs of a compilation.
use loopwright_astgen::AstNode;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::Scop;
use loopwright_transform::panels::Packed;
use loopwright_verify::{Proof, check_ast, check_panels, check_parallel_loops, check_schedule};

/// The steps that each proof may take (see [`Budget`]).
const PROOF_STEPS: u64 = 15_000_000;

/// Checks the schedule against the dependences.
pub(crate) fn prove_schedule(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
) -> Result<(&'static str, Proof)> {
    let budget = Budget::steps(PROOF_STEPS);
    let proof = check_schedule(scop, dependences, tree, &budget)?;
    let claim = match dependences.reassociated() {
        [] => "the schedule respects every dependence",
        _ => "the schedule respects every dependence but the order of reassociated updates",
    };
    Ok((claim, proof))
}

/// Checks that loops marked parallel carry no dependence, not even between reassociated updates, but
/// those that the loop is said to combine.
pub(crate) fn prove_parallel(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
) -> Result<(&'static str, Proof)> {
    let budget = Budget::steps(PROOF_STEPS);
    let proof = check_parallel_loops(scop, dependences, tree, &budget)?;
    Ok(("parallel loops carry no dependence", proof))
}

/// Checks the syntax tree against the schedule.
pub(crate) fn prove_ast(
    scop: &Scop,
    tree: &ScheduleTree,
    ast: &AstNode,
) -> Result<(&'static str, Proof)> {
    let budget = Budget::steps(PROOF_STEPS);
    let proof = check_ast(ast, tree, &scop.context, &budget)?;
    Ok(("the generated loops run every instance once, in schedule order", proof))
}

/// Checks that panels hold what they stand for.
pub(crate) fn prove_panels(
    original: &Scop,
    packed: &Packed,
    ast: &AstNode,
) -> Result<(&'static str, Proof)> {
    let budget = Budget::steps(PROOF_STEPS);
    let Packed { tree, scop, panels, .. } = packed;
    let proof = check_panels(original, scop, panels, tree, ast, &budget)?;
    Ok(("every panel element that is read holds the value it stands for", proof))
}
