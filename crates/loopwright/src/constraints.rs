//! What the scheduler has to respect, from the dependences.
use loopwright_dataflow::{Dependences, tagged, untagged};
use loopwright_presburger::{Result, UnionSet};
use loopwright_scheduler::ScheduleConstraints;
use loopwright_scop::Scop;

/// The schedule constraints with live-range reordering ("Scheduling for PPCG", section 4.3):
/// flow and forced dependences are valid in any case, order dependences only next to live ranges
/// that are not local; coincidence also wants order dependences of arrays, which, unlike scalars,
/// are never private to a thread.
///
/// `domain` are the instances to be scheduled (those that are executed).
pub(crate) fn schedule_constraints(
    scop: &Scop,
    dependences: &Dependences,
    domain: &UnionSet,
) -> Result<ScheduleConstraints> {
    let of_arrays = dependences.order.iter().filter(|d| !scop.array(d.array).is_scalar());
    let validity = untagged(dependences.flow.iter().chain(&dependences.forced))?;
    let coincidence = validity.union(&untagged(of_arrays)?)?;
    let proximity = untagged(dependences.flow.iter().chain(&dependences.false_nearest))?;
    let constraints = ScheduleConstraints {
        validity,
        proximity,
        coincidence,
        condition: tagged(&dependences.flow)?,
        conditional_validity: tagged(&dependences.order)?,
        ..ScheduleConstraints::on_domain(domain.clone(), scop.context.clone())
    };
    Ok(constraints)
}
