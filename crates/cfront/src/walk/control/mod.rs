//! Control flow other than loops: branches, conditions on data, jumps, and statements kept as text.

pub(crate) mod branches;
pub(crate) mod data_conditions;
pub(crate) mod filtered_switch;
pub(crate) mod filters;
pub(crate) mod forward_jumps;
pub(crate) mod opaque_statement;
pub(crate) mod overwritten;
pub(crate) mod sure_writes;
pub(crate) mod ways_out;
