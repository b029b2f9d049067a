//! From schedule constraints to schedule trees.
//!
//! The method is that of Verdoolaege and Janssens, "Scheduling for PPCG" (KU Leuven CW 706).

mod constraints;
mod options;

pub use constraints::ScheduleConstraints;
pub use options::{Algorithm, Fuse, Options};

use loopwright_presburger::{Budget, Result};
use loopwright_schedule::ScheduleTree;

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
    /// Fallbacks that were taken.
    pub notes: Vec<Note>,
}

/// Computes a schedule that respects `constraints`.
///
/// # Errors
/// `Exceeded` when the budget does not suffice even for the last fallback, `Invalid` when the
/// constraints are cyclic or are not between statements of the domain.
pub fn schedule(constraints: &ScheduleConstraints, options: &Options, budget: &Budget) -> Result<Scheduled> {
    let _ = (constraints, options, budget);
    todo!()
}
