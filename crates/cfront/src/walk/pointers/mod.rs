//! Pointers that a region sets, moves or follows.

pub(crate) mod data_dependent_pointers;
pub(crate) mod moving_pointers;
pub(crate) mod null_tests;
pub(crate) mod pointer_fallback;
pub(crate) mod pointer_targets;
