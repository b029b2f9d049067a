//! The second pass: from nests to syntax trees.
pub(crate) mod emission;
pub(crate) mod iterator_names;
pub(crate) mod loop_bound;
