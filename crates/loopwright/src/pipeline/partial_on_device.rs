//! Reductions that the threads of a device share: the program with partial results, which takes the place of the region's, and
//! what is proved about it.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::{Proofs, Stage};
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::private_in_kernels::with_private_variables_of_kernels;
use crate::pipeline::prove::{prove_memory, prove_partial_results};
use crate::pipeline::run::{Run, stage_budget};
use loopwright_dataflow::{Dependences, reassociated};
use loopwright_device::{
    DeviceArray, Elements, PartialSelection, Transfers, with_barriers, with_partial_results,
};
use loopwright_presburger::{Aff, Budget, Int, PwAff, Result, Space};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Array, ArrayId, Promotion, Scop};
use loopwright_verify::ProgramWithPartialResults;

/// Steps for the program with partial results, its dependences and barriers: elements have the coordinates of blocks and threads.
const PARTIAL_STEPS: u64 = 60_000_000;

/// The region with partial results.
pub(crate) struct PartialProgram {
    pub(crate) scop: Scop,
    /// Its schedule, with kernels where it combines.
    pub(crate) chosen: ScheduleChoice,
    /// Its dependences in its order.
    pub(crate) dependences: Dependences,
    /// The same without the order of updates.
    relaxed: Dependences,
    promotion: Promotion,
    /// The region's, with memory for the results of blocks, which are not copied.
    pub(crate) transfers: Transfers,
}

/// The region with partial results for what it combines, if updates may run in any order; none if there is nothing to combine on
/// several threads.
///
/// # Errors
/// Those of the operations, a limit among them.
pub(crate) fn with_partials(
    analysed: &Analysed,
    (chosen, transfers): (&ScheduleChoice, &Transfers),
    run: Run<'_>,
) -> Result<Option<PartialProgram>> {
    let Analysed { region, dependences, .. } = analysed;
    let budget = Budget::steps(PARTIAL_STEPS);
    let found = run.time(Stage::Transform, || {
        let program = (&region.scop, dependences);
        let device = &run.options.devices.device;
        with_partial_results(&chosen.tree, program, device, &region.used_names, &budget)
    })?;
    let Some(PartialSelection { tree, scop, promotion, memory, decisions }) = found else {
        return Ok(None);
    };
    let (dependences, relaxed) = run.time(Stage::Dependences, || {
        let in_order = Dependences::of_scop(&scop, &budget)?;
        let relaxed = reassociated(&with_elements(&scop, &promotion), &in_order, &budget)?;
        Ok::<_, loopwright_presburger::Error>((in_order.clone(), relaxed.unwrap_or(in_order)))
    })?;
    let tree = run.time(Stage::Transform, || {
        let private = with_private_scalars(&scop, &dependences, &tree, &stage_budget())?;
        let private = with_private_variables_of_kernels(&scop, &private)?;
        with_barriers(&private, &scop, &dependences, &budget)
    })?;
    let mut chosen = ScheduleChoice { tree, ..chosen.clone() };
    chosen.notes.extend(decisions);
    let mut transfers = transfers.clone();
    transfers.arrays.extend(memory.iter().map(|id| on_device_only(&scop, *id)));
    Ok(Some(PartialProgram { scop, chosen, dependences, relaxed, promotion, transfers }))
}

/// The program whose bodies name elements of promoted arrays, as its accesses do, in place of their cells: so its updates are seen.
fn with_elements(scop: &Scop, promotion: &Promotion) -> Scop {
    let mut scop = scop.clone();
    for statement in &mut scop.statements {
        statement.body.for_each_element_mut(&mut |element| {
            if let Some(own) = promotion.arrays.iter().find(|own| own.cells == element.array) {
                element.array = own.elements;
            }
        });
    }
    scop
}

/// The memory of an array of constant extents that is not copied.
fn on_device_only(scop: &Scop, id: ArrayId) -> DeviceArray {
    let array: &Array = scop.array(id);
    let params = Space::params(scop.context.space().param_names());
    let constant = |value: Int| PwAff::from_aff(Aff::constant(&params, &value));
    let last = |extent: &Option<PwAff>| {
        let known = extent.as_ref().and_then(|e| e.as_aff()?.constant_value()?.to_int());
        constant(&known.unwrap_or(Int::ONE) - &Int::ONE)
    };
    let accessed = Elements {
        params: scop.context.clone(),
        least: array.extents.iter().map(|_| constant(Int::ZERO)).collect(),
        most: array.extents.iter().map(last).collect(),
        is_range: false,
    };
    DeviceArray {
        array: id,
        accessed,
        copy_in: None,
        copy_out: None,
        is_written: true,
        may_be_in_front: false,
    }
}

impl PartialProgram {
    /// The proofs about a program with partial results, besides those of its order; `own_memory` are other arrays of `scop` that are
    /// not in the memory of the device.
    pub(crate) fn prove(
        &self,
        analysed: &Analysed,
        (scop, own, tree): (&Scop, &Dependences, &ScheduleTree),
        other: Option<&Promotion>,
    ) -> Result<Proofs> {
        let program = ProgramWithPartialResults {
            original: &analysed.region.scop,
            dependences: &analysed.dependences,
            partial: &self.scop,
            own: &self.relaxed,
            promotion: &self.promotion,
        };
        let mut proofs = vec![prove_partial_results(program, tree)?];
        let promoted = self.promotion.arrays.iter().chain(other.iter().flat_map(|p| &p.arrays));
        let own_memory: Vec<ArrayId> =
            promoted.flat_map(|array| [array.elements, array.cells]).collect();
        let (_, proof) = prove_memory(scop, own, &self.transfers, &own_memory)?;
        proofs.push(("partial results have memory on the device", proof));
        Ok(proofs)
    }
}
