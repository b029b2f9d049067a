//! Algorithms on directed graphs.
pub(crate) mod components;
pub(crate) mod paths;
