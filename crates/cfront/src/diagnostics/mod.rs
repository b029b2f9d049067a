//! What is reported: kinds of diagnostics with their advice, and refusals of parts of a region.

pub(crate) mod diagnostic;
pub(crate) mod refusal;
