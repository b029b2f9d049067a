//! The part of a schedule that is executed: kill statements take part in dataflow only.
use loopwright_presburger::{Result, Space, UnionSet};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::Scop;

/// The instances that are executed, for parameter values of the context.
pub(crate) fn executed_instances(scop: &Scop) -> Result<UnionSet> {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let domains = executed.map(|statement| statement.domain.clone());
    Ok(UnionSet::from_sets(&Space::params(&[]), domains))
}

/// The tree without the instances of kill statements; subtrees without instances are dropped.
pub(crate) fn executable_part(scop: &Scop, tree: &ScheduleTree) -> Result<ScheduleTree> {
    if !scop.statements.iter().any(|statement| statement.is_kill) {
        return Ok(tree.clone());
    }
    tree.intersect_domain(&executed_instances(scop)?)
}
