//! Trees from trees.
pub(crate) mod at_place;
pub(crate) mod group;
pub(crate) mod reorder;
pub(crate) mod restrict;
pub(crate) mod sink;
pub(crate) mod without_expansions;
