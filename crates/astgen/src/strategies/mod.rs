//! The strategies of cutting: implementations of [`crate::cut::Cut`], one per paper.
pub(crate) mod baseline;
pub(crate) mod choice;
pub(crate) mod components;
pub(crate) mod kelly_pugh;
pub(crate) mod loop_types;
pub(crate) mod separation;
