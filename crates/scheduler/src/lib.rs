//! From schedule constraints to schedule trees.
//!
//! The method is that of Verdoolaege and Janssens, "Scheduling for PPCG" (KU Leuven CW 706).
//!
//! [`ScheduleConstraints`] say what a schedule has to respect and what it should achieve; [`schedule`] finds
//! one.
//!
//! ```
//! use loopwright_presburger::{Budget, Set, UnionMap, UnionSet};
//! use loopwright_schedule::Node;
//! use loopwright_scheduler::{Options, ScheduleConstraints, schedule};
//! // for (i) for (j) A[i][j] = A[i - 1][j + 1] + A[i][j - 1];
//! let domain = UnionSet::parse("[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }")?;
//! let flow = UnionMap::parse("[n] -> { S[i, j] -> S[i + 1, j - 1]; S[i, j] -> S[i, j + 1] }")?
//!     .intersect_domain(&domain)?
//!     .intersect_range(&domain)?;
//! let constraints = ScheduleConstraints {
//!     validity: flow.clone(),
//!     proximity: flow,
//!     ..ScheduleConstraints::on_domain(domain, Set::parse("[n] -> { : n >= 2 }")?)
//! };
//! let scheduled = schedule(&constraints, &Options::tiling(), &Budget::steps(10_000_000))?;
//! let Node::Band(band, _) = &scheduled.tree.root else { panic!("{}", scheduled.tree) };
//! assert!(band.permutable && band.n_members() == 2, "{}", scheduled.tree);
//! # Ok::<(), loopwright_presburger::Error>(())
//! ```
//!
//! # Parts
//! `graph` has the dependences between statements, `problem` what the search for one band sees of them.
//! `pluto` and `feautrier` find members, `solver` their coefficients, by Farkas' lemma in `algebra`.
//! `clustering` decides which components share a band, `recursion` builds the tree. `grouping` and
//! `index_set_splitting` change the statements before.

mod algebra;
mod clustering;
mod constraints;
mod digraph;
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
mod scheduler;
mod solver;

pub use constraints::ScheduleConstraints;
pub use grouping::{Group, GroupMember, Grouping, schedule_in_groups};
pub use index_set_splitting::{SplitIndexSets, split_index_sets};
pub use options::{Algorithm, Fallback, Fuse, Options};
pub use schedule::schedule;
pub use scheduled::{Note, Scheduled};
