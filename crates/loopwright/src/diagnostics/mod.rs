//! What is said to the user, as data: printed as text, as lines of JSON, or as SARIF.
pub(crate) mod diagnostic;
pub(crate) mod failure;
pub(crate) mod json;
pub(crate) mod sarif;
