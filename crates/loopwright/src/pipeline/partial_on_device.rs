//! Reductions that the threads of a device share: the program with partial results, which takes the place of
//! the region's, and what is proved about it.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::{Proofs, Stage};
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::private_in_kernels::with_private_variables_of_kernels;
use crate::pipeline::prove::{prove_memory, prove_partial_results, prove_scans};
use crate::pipeline::run::{Run, stage_budget_by};
use crate::settings::effort::Effort;
use loopwright_backend::device::Language;
use loopwright_dataflow::{Dependences, reassociated};
use loopwright_device::{
    DeviceArray, Elements, PartialSelection, Scan, ScanSelection, Transfers, with_barriers,
    with_partial_results, with_scans,
};
use loopwright_presburger::{Aff, Int, PwAff, Result, Space};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Array, ArrayId, Promotion, Scop};
use loopwright_verify::{ProgramWithPartialResults, ProgramWithScans};

/// Steps for the program with partial results, its dependences and barriers: elements have the coordinates of
/// blocks and threads.
const PARTIAL_STEPS: u64 = 60_000_000;

/// The region with partial results.
pub(crate) struct PartialProgram {
    pub(crate) scop: Scop,
    /// Its schedule, with kernels where it combines.
    pub(crate) chosen: ScheduleChoice,
    /// Its dependences in its order.
    pub(crate) dependences: Dependences,
    claims: Claims,
    /// Whether its results are those of the program bit by bit.
    pub(crate) is_exact: bool,
    /// The region's, with memory for the results of blocks, which are not copied.
    pub(crate) transfers: Transfers,
}

/// What is proved about values.
pub(crate) enum Claims {
    /// Those of partial results, with the dependences of the program without the order of updates.
    Partial { relaxed: Dependences, promotion: Promotion },
    /// Those of scans, with the dependences of the region in its order.
    Scans { scans: Vec<Scan>, in_order: Dependences },
}

/// The region with chunks for loops that carry one value and use it in each iteration, if updates may run in
/// any order; none if there are none.
///
/// # Errors
/// Those of the operations, a limit among them.
pub(crate) fn with_scans_in_chunks(
    analysed: &Analysed,
    (chosen, transfers): (&ScheduleChoice, &Transfers),
    run: Run<'_>,
) -> Result<Option<PartialProgram>> {
    let region = &analysed.region;
    let budget = run.effort().budget(PARTIAL_STEPS);
    let in_order = run.time(Stage::Dependences, || Dependences::of_scop(&region.scop, &budget))?;
    let found = run.time(Stage::Transform, || {
        let (program, device) = ((&region.scop, &in_order), &run.options.devices.device);
        with_scans(&chosen.tree, program, device, &region.used_names, &budget)
    })?;
    let Some(ScanSelection { tree, scop, scans, decisions }) = found else { return Ok(None) };
    let (dependences, relaxed) = run.time(Stage::Dependences, || {
        let dependences = Dependences::in_settled_order(&scop, &budget)?;
        let relaxed = reassociated(&scop, &dependences, &budget)?;
        Ok::<_, loopwright_presburger::Error>((dependences, relaxed))
    })?;
    // Types whose values do not depend on how they are associated: as for all updates.
    let may_be = |scan: &Scan| {
        let pairs = relaxed.iter().flat_map(|relaxed| relaxed.reassociated());
        pairs.into_iter().any(|pair| pair.source.0 == scan.update && pair.sink.0 == scan.update)
    };
    if !scans.iter().all(may_be) {
        return Ok(None);
    }
    let mut chosen = ScheduleChoice { tree, ..chosen.clone() };
    chosen.notes.extend(decisions);
    let names: Vec<&str> =
        scans.iter().map(|scan| &*region.scop.statement(scan.update).name).collect();
    let names = names.join(", ");
    chosen.notes.push(format!("assumed: what {names} combines may be associated in another way"));
    let mut transfers = transfers.clone();
    let memory = scans.iter().flat_map(|scan| &scan.arrays);
    transfers.arrays.extend(memory.map(|id| on_device_only(&scop, *id)));
    let claims = Claims::Scans { scans, in_order };
    let is_exact = false;
    Ok(Some(PartialProgram { scop, chosen, dependences, claims, is_exact, transfers }))
}

/// The region with partial results for what it combines, if updates may run in any order; none if there is
/// nothing to combine on several threads.
///
/// # Errors
/// Those of the operations, a limit among them.
pub(crate) fn with_partials(
    analysed: &Analysed,
    (chosen, transfers, language): (&ScheduleChoice, &Transfers, Language),
    run: Run<'_>,
) -> Result<Option<PartialProgram>> {
    let Analysed { region, dependences, .. } = analysed;
    let budget = run.effort().budget(PARTIAL_STEPS);
    let found = run.time(Stage::Transform, || {
        let program = (&region.scop, dependences);
        let has_shuffles = run.options.devices.shuffles && language == Language::Cuda;
        let device = (&run.options.devices.device, has_shuffles);
        with_partial_results(&chosen.tree, program, device, &region.used_names, &budget)
    })?;
    let Some(PartialSelection { tree, scop, promotion, memory, decisions }) = found else {
        return Ok(None);
    };
    let (dependences, relaxed) = run.time(Stage::Dependences, || {
        let in_order = Dependences::in_settled_order(&scop, &budget)?;
        let named = with_elements(&scop, &promotion, region.scop.statements.len());
        let relaxed = reassociated(&named, &in_order, &budget)?;
        Ok::<_, loopwright_presburger::Error>((in_order.clone(), relaxed.unwrap_or(in_order)))
    })?;
    let tree = run.time(Stage::Transform, || {
        let private =
            with_private_scalars(&scop, &dependences, &tree, &stage_budget_by(run.options))?;
        let private = with_private_variables_of_kernels(&scop, &private)?;
        with_barriers(&private, &scop, &dependences, &budget)
    })?;
    let mut chosen = ScheduleChoice { tree, ..chosen.clone() };
    chosen.notes.extend(decisions);
    let mut transfers = transfers.clone();
    transfers.arrays.extend(memory.iter().map(|id| on_device_only(&scop, *id)));
    let claims = Claims::Partial { relaxed, promotion };
    let is_exact = !run.options.reassociate;
    Ok(Some(PartialProgram { scop, chosen, dependences, claims, is_exact, transfers }))
}

/// The program whose own statements name elements of promoted arrays, as their accesses do, in place of their
/// cells: so its updates are seen. Those of statements that were added stay in order.
fn with_elements(scop: &Scop, promotion: &Promotion, n_own: usize) -> Scop {
    let mut scop = scop.clone();
    for statement in scop.statements.iter_mut().take(n_own) {
        statement.body.for_each_element_mut(&mut |element| {
            if let Some(own) = promotion.arrays.iter().find(|own| own.cells == element.array) {
                element.array = own.elements;
            }
        });
    }
    scop
}

/// The memory of an array that is not copied.
fn on_device_only(scop: &Scop, id: ArrayId) -> DeviceArray {
    let array: &Array = scop.array(id);
    let params = Space::params(scop.context.space().param_names());
    let constant = |value: Int| PwAff::from_aff(Aff::constant(&params, &value));
    let last = |extent: &Option<PwAff>| match extent {
        Some(extent) => extent.add_constant(&Int::from(-1)),
        None => constant(Int::ZERO),
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
    /// The proofs about a program with partial results, besides those of its order; `own_memory` are other
    /// arrays of `scop` that are not in the memory of the device.
    pub(crate) fn prove(
        &self,
        analysed: &Analysed,
        (scop, own, tree): (&Scop, &Dependences, &ScheduleTree),
        other: Option<&Promotion>,
        effort: &Effort,
    ) -> Result<Proofs> {
        let (original, dependences) = (&analysed.region.scop, &analysed.dependences);
        let (proof, promoted) = match &self.claims {
            Claims::Partial { relaxed, promotion } => {
                let (partial, own) = (&self.scop, relaxed);
                let program =
                    ProgramWithPartialResults { original, dependences, partial, own, promotion };
                (prove_partial_results(program, tree, effort)?, &promotion.arrays[..])
            }
            Claims::Scans { scans, in_order } => {
                let (dependences, scanned, own) = (in_order, &self.scop, &self.dependences);
                let program = ProgramWithScans { original, dependences, scanned, own, scans };
                (prove_scans(program, effort)?, &[][..])
            }
        };
        let mut proofs = vec![proof];
        let promoted = promoted.iter().chain(other.iter().flat_map(|p| &p.arrays));
        let own_memory: Vec<ArrayId> =
            promoted.flat_map(|array| [array.elements, array.cells]).collect();
        let (_, proof) = prove_memory(scop, own, &self.transfers, &own_memory, effort)?;
        proofs.push(("partial results have memory on the device", proof));
        Ok(proofs)
    }
}
