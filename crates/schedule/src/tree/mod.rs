//! Nodes and marks, and what a band alone can say of itself.
pub(crate) mod band;
pub(crate) mod band_values;
pub(crate) mod device_mark;
pub(crate) mod local_mark;
pub(crate) mod loop_mark;
pub(crate) mod node;
pub(crate) mod origin_mark;
pub(crate) mod search_mark;
