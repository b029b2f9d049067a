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
mod schedule;
mod scheduled;
mod solver;

pub use constraints::ScheduleConstraints;
pub use grouping::{Group, GroupMember, Grouping, schedule_in_groups};
pub use index_set_splitting::{SplitIndexSets, split_index_sets};
pub use options::{Algorithm, Fallback, Fuse, Options};
pub use schedule::schedule;
pub use scheduled::{Note, Scheduled};
