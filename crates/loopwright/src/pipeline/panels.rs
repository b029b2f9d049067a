//! Panels in a compilation: packed where that pays, kept where it is proved.
use crate::pipeline::outcome::Proofs;
use crate::pipeline::prove::{prove_loops_with_panels, prove_order};
use crate::settings::effort::Effort;
use loopwright_astgen::AstNode;
use loopwright_cfront::Region;
use loopwright_dataflow::Dependences;
use loopwright_machine::Machine;
use loopwright_presburger::Result;
use loopwright_schedule::ScheduleTree;
use loopwright_transform::packing::{Packed, pack};
use loopwright_verify::{Loops, with_divisions, with_panel_dependences};

/// Steps for finding panels.
const PACKING_STEPS: u64 = 1_000_000;

/// The region's program and tree with panels; none if there is nothing to pack.
pub(crate) fn packed(
    region: &Region,
    tree: &ScheduleTree,
    machine: &Machine,
    effort: &Effort,
) -> Result<Option<Packed>> {
    let budget = effort.budget(PACKING_STEPS);
    let taken = &region.used_names;
    let packed = pack(tree, &region.scop, machine, taken, &budget)?;
    Ok((!packed.panels.is_empty()).then_some(packed))
}

/// The proofs of the program with panels, and the loops that were read for them.
pub(crate) fn prove_packed(
    region: &Region,
    dependences: &Dependences,
    packed: &Packed,
    ast: &AstNode,
    effort: &Effort,
) -> Result<(Proofs, Loops)> {
    let dependences = with_divisions(dependences, &packed.scop, &packed.divisions)?;
    let dependences = with_panel_dependences(&dependences, &packed.scop, &packed.panels)?;
    let mut proofs = prove_order(&packed.scop, &dependences, &packed.tree, effort)?;
    let (others, loops) = prove_loops_with_panels(&region.scop, packed, ast, effort)?;
    proofs.extend(others);
    Ok((proofs, loops))
}
