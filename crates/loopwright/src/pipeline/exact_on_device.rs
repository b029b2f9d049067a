//! Updates whose results are the same bit for bit in every order: on a device several threads share their
//! loops without being asked.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::Stage;
use crate::pipeline::run::Run;
use crate::pipeline::versions::kept_variables::KeptVariable;
use crate::settings::options::CompileOptions;
use loopwright_dataflow::{
    Dependences, ExactUpdates, without_order_of_exact_updates, writes_nothing_else,
};
use loopwright_device::are_in_independent_loops;
use loopwright_presburger::{Name, Result};
use loopwright_scop::ArrayId;
use std::collections::BTreeSet;

/// A region without the order of such updates.
pub(crate) struct ExactRegion {
    pub(crate) analysed: Analysed,
    /// Its dependences with their order.
    pub(crate) in_order: Dependences,
    /// What is left to the processor if it is a zero.
    pub(crate) zeros: Vec<KeptVariable>,
    names: BTreeSet<Name>,
}

impl ExactRegion {
    /// What there is to say about it.
    pub(crate) fn sentence(&self) -> String {
        let names: Vec<&str> = self.names.iter().map(|name| &**name).collect();
        let names = names.join(", ");
        let zeros: Vec<String> = self.zeros.iter().map(|kept| format!("`{}`", kept.name)).collect();
        match zeros.is_empty() {
            true => format!("any order of {names} gives the same"),
            false => format!(
                "any order of {names} gives the same, but for the sign of a zero: where {} is one, the region runs as it was",
                zeros.join(" or ")
            ),
        }
    }
}

/// Whether partial results have memory: they are in registers and shared memory, and have sizes of their own.
pub(crate) fn has_memory_for_partials(options: &CompileOptions) -> bool {
    let has_memory = options.device_registers && options.shared_memory;
    let is_given = options.scheduler.is_given() || options.devices.sizes.is_some();
    has_memory && !is_given
}

/// The region without the order of such updates, if the schedule has some in no independent loop; none if it
/// has not. Where updates may be reassociated by option there is nothing more to find.
///
/// # Errors
/// Those of the operations, a limit among them.
pub(crate) fn with_exact_updates(
    analysed: &Analysed,
    chosen: &ScheduleChoice,
    run: Run<'_>,
) -> Result<Option<ExactRegion>> {
    if run.options.reassociate || !has_memory_for_partials(run.options) {
        return Ok(None);
    }
    let Analysed { region, dependences: in_order, .. } = analysed;
    let scop = &region.scop;
    let found = run.time(Stage::Dependences, || {
        without_order_of_exact_updates(scop, in_order, &run.effort().stage())
    })?;
    let Some(ExactUpdates { dependences, statements, zeros }) = found else { return Ok(None) };
    let names: BTreeSet<Name> =
        statements.iter().map(|id| scop.statement(*id).name.clone()).collect();
    // What has been written when a zero is seen must do no harm if the region runs once more.
    let may_run_again = zeros.is_empty() || writes_nothing_else(scop, &zeros);
    if !may_run_again || are_in_independent_loops(&chosen.tree, &names)? {
        return Ok(None);
    }
    let kept = |id: &ArrayId| {
        let array = scop.array(*id);
        KeptVariable::of(&array.name, &array.element_type, &region.used_names)
    };
    let zeros = zeros.iter().map(kept).collect();
    let analysed = Analysed {
        region: region.clone(),
        dependences,
        remarks: analysed.remarks.clone(),
        drops_instances: analysed.drops_instances,
    };
    Ok(Some(ExactRegion { analysed, in_order: in_order.clone(), zeros, names }))
}
