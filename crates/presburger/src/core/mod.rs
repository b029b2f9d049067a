//! What everything else is made of: spaces, rows of constraints, pieces, and unions of them.
//!
//! Nothing here solves anything: the operations take time proportional to the size of what they look at, or
//! to that of pairs of pieces.

pub(crate) mod align_locals;
pub(crate) mod align_parameters;
pub(crate) mod basic_map;
pub(crate) mod basic_relation;
pub(crate) mod basic_set;
pub(crate) mod budget;
pub(crate) mod columns;
pub(crate) mod constraint;
pub(crate) mod error;
pub(crate) mod map;
pub(crate) mod normal_form;
pub(crate) mod plain_form;
pub(crate) mod row_order;
pub(crate) mod rows;
pub(crate) mod set;
pub(crate) mod space;
pub(crate) mod tuple;
pub(crate) mod union_map;
pub(crate) mod union_set;
