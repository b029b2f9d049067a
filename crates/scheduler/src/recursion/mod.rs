//! The recursion that builds the tree ([`descent`]), and what it does when nothing is found ([`carry`],
//! [`fallback`]).
mod carry;
mod descent;
mod fallback;
mod tree;
mod wavefront;

use crate::constraints::ScheduleConstraints;
use crate::graph::build;
use crate::graph::subgraph::Subgraph;
use crate::options::Options;
use crate::scheduled::Scheduled;
use crate::scheduler::{Scheduler, WHOLE};
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::ScheduleTree;

/// The schedule of the statements of the constraints, without prefix, as they are.
pub(crate) fn schedule_as_given(
    constraints: &ScheduleConstraints,
    options: &Options,
    budget: &Budget,
) -> Result<Scheduled> {
    let (graph, dependences) = build(constraints, budget)?;
    let part = Subgraph {
        statements: (0..graph.statements.len()).collect(),
        dependences,
        earlier: vec![Vec::new(); graph.statements.len()],
    };
    let mut scheduler = Scheduler::new(&graph, options, budget);
    let root = scheduler.schedule_or_less(part, WHOLE - 1)?;
    let tree = ScheduleTree { domain: constraints.domain.clone(), root };
    let keeps_apart = scheduler.keeps_apart.get();
    Ok(Scheduled { tree, notes: scheduler.notes, cut: Vec::new(), keeps_apart })
}
