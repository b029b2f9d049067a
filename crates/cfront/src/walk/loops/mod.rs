//! Loops: their bounds, what their iterations change, and how they are left.

pub(crate) mod breaks;
mod early_exits;
pub(crate) mod filtered_loops;
pub(crate) mod final_values;
pub(crate) mod for_loops;
pub(crate) mod induction;
pub(crate) mod loop_bounds;
pub(crate) mod loop_pragmas;
pub(crate) mod tested_changes;
pub(crate) mod while_loops;
