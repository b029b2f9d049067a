//! Schedules in which chains of statements are scheduled as one.
use crate::pipeline::without_kills::executable_part;
use crate::settings::effort::Effort;
use loopwright_presburger::{Budget, Error, Result};
use loopwright_scheduler::{
    Grouping, Note, Options, ScheduleConstraints, Scheduled, schedule_in_groups,
};
use loopwright_scop::Scop;

/// Steps for finding the chains; those of the kernels take some thousands.
const CHAIN_STEPS: u64 = 5_000_000;

/// The chains of the region's own order; none if a limit is reached.
pub(crate) fn chains(
    scop: &Scop,
    constraints: &ScheduleConstraints,
    effort: &Effort,
) -> Result<Grouping> {
    let original = executable_part(scop, &scop.schedule)?;
    match Grouping::of_chains(&original, constraints, &effort.budget(CHAIN_STEPS)) {
        Err(Error::Exceeded { .. }) => Ok(Grouping::default()),
        other => other,
    }
}

/// A schedule of the statements of the program that runs every group as a whole, with a note that
/// names the groups.
pub(crate) fn schedule_with(
    grouping: &Grouping,
    constraints: &ScheduleConstraints,
    choices: &Options,
    budget: &Budget,
) -> Result<Scheduled> {
    let mut scheduled = schedule_in_groups(constraints, grouping, choices, budget)?;
    scheduled.tree = scheduled.tree.without_expansions()?;
    scheduled.tree.domain = constraints.domain.clone();
    for group in grouping.groups() {
        let statements: Vec<String> = group.statements().map(ToString::to_string).collect();
        let message = format!("scheduled as one: {}", statements.join(", "));
        scheduled.notes.push(Note { statements, message });
    }
    Ok(scheduled)
}
