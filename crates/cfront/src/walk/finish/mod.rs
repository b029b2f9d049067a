//! After the walk: what is collected becomes a scop, and what it relies on is settled.

pub(crate) mod apart;
pub(crate) mod build;
pub(crate) mod inspected;
pub(crate) mod needed_conditions;
pub(crate) mod overlap;
pub(crate) mod read_guards;
pub(crate) mod region_end;
pub(crate) mod region_result;
pub(crate) mod region_types;
pub(crate) mod rows_apart;
pub(crate) mod same_place;
pub(crate) mod segment_loop;
pub(crate) mod used_after;
pub(crate) mod value_bounds;
