//! Whether a change is legal, by exact tests on the dependences.
pub(crate) mod conflicts;
pub mod independence;
