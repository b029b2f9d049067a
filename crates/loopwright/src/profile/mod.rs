//! What runs of a program tell: values of integers in front of regions, with times (`docs/profiles.md`).
pub(crate) mod candidates;
pub(crate) mod instrumented;
pub mod jit;
pub(crate) mod measurements;
pub(crate) mod settings;
pub(crate) mod specialised;
