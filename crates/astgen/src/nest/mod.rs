//! The tree between the two passes, with sets as conditions, and what is done to it.
pub(crate) mod bounds_without_min_max;
pub(crate) mod condition_tree;
pub(crate) mod disjunctions;
pub(crate) mod guard;
pub(crate) mod parallel_marks;
pub(crate) mod tree;
