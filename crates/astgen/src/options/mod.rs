//! What can be chosen about generated code, as plain values.
pub(crate) mod choices;
pub(crate) mod strategy;
