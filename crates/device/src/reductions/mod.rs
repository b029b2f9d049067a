//! Reductions that the threads of a device share.
//!
//! Where updates may run in any order (`loopwright_dataflow::reassociated`), a loop that only combines values
//! of elements that stay the same throughout it is spread over threads: each one combines the values of its
//! turn in a register, then the threads of a block combine theirs in shared memory, half of them with the
//! other half at a time, or by shuffles. The loop of one element over a long range takes several blocks,
//! whose values a second kernel combines; the elements of rows that lie side by side take a warp each.
//!
//! All of this is the *program with partial results*, a copy of the model: partial results are arrays, and
//! what fills and combines them are statements like others, with places in the tree. The updates of the
//! program keep their names and instances. How many partial results there are does not depend on the numbers
//! of blocks and threads that run, so results are the same each time. Nothing here is trusted:
//! `loopwright_verify::check_partial_results` proves it.
mod combination;
mod groups;
mod partial;
mod select;
mod warps;

pub(crate) use combination::neutral;
pub(crate) use select::without_kills;
pub use select::{PartialSelection, with_partial_results};
