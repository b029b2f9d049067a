//! From schedule constraints to schedule trees.
//!
//! The method is that of Verdoolaege and Janssens, "Scheduling for PPCG" (KU Leuven CW 706).

mod algebra;
mod clustering;
mod constraints;
mod feautrier;
mod graph;
mod grouping;
mod index_set_splitting;
mod options;
mod pluto;
mod problem;
mod recursion;
mod solver;

pub use constraints::ScheduleConstraints;
pub use grouping::{Group, GroupMember, Grouping, schedule_in_groups};
pub use index_set_splitting::{SplitIndexSets, split_index_sets};
pub use options::{Algorithm, Fallback, Fuse, Options};

use loopwright_presburger::{Budget, Result};
use loopwright_schedule::ScheduleTree;
use recursion::scheduler::{Scheduler, Subgraph};

/// Something the caller may want to tell the user about how a schedule was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The statements concerned.
    pub statements: Vec<String>,
    /// What was done, as a sentence.
    pub message: String,
}

/// A schedule and how it came about.
#[derive(Clone, Debug)]
pub struct Scheduled {
    /// The schedule.
    pub tree: ScheduleTree,
    /// Fallbacks that were taken, and statements that were cut.
    pub notes: Vec<Note>,
    /// The names of the statements whose halves were scheduled separately, see
    /// [`split_index_sets`].
    pub cut: Vec<String>,
    /// Whether statements were kept apart that [`Fuse::Typed`] would have put into common loops.
    pub keeps_apart: bool,
}

/// Computes a schedule that respects `constraints`.
///
/// Below a prefix, if there is one, the tree is the part below it. With
/// [`Options::split_index_sets`] a second schedule, of halves of the statements, is computed within
/// at most twice the work of the first, or a little, and taken if it is better.
///
/// # Errors
/// `Exceeded` when the budget does not suffice even for the last fallback, `Invalid` when the
/// constraints are cyclic or are not between statements of the domain.
pub fn schedule(
    constraints: &ScheduleConstraints,
    options: &Options,
    budget: &Budget,
) -> Result<Scheduled> {
    let constraints = &constraints.below_prefix(budget)?;
    let start = budget.used();
    let whole = schedule_as_given(constraints, options, budget)?;
    if !options.split_index_sets {
        return Ok(whole);
    }
    let limit = index_set_splitting::limit(budget.used().saturating_sub(start), budget);
    let improved = index_set_splitting::improved(constraints, &whole, options, &limit);
    budget.charge(&limit);
    let improved = improved?;
    Ok(improved.unwrap_or(whole))
}

/// The schedule of the statements of the constraints, without prefix, as they are.
fn schedule_as_given(
    constraints: &ScheduleConstraints,
    options: &Options,
    budget: &Budget,
) -> Result<Scheduled> {
    let (graph, dependences) = graph::build(constraints, budget)?;
    let part = Subgraph {
        statements: (0..graph.statements.len()).collect(),
        dependences,
        earlier: vec![Vec::new(); graph.statements.len()],
    };
    let mut scheduler = Scheduler::new(&graph, options, budget);
    let root = scheduler.schedule_or_less(part, recursion::fallback::WHOLE - 1)?;
    let tree = ScheduleTree { domain: constraints.domain.clone(), root };
    let keeps_apart = scheduler.keeps_apart.get();
    Ok(Scheduled { tree, notes: scheduler.notes, cut: Vec::new(), keeps_apart })
}
