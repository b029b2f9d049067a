//! The tree between the two passes, with sets as conditions, and what is done to it.
pub(crate) mod conditions;
pub(crate) mod disjunctions;
pub(crate) mod guard;
pub(crate) mod parallel_marks;
pub(crate) mod single_bounds;
pub(crate) mod tree;
