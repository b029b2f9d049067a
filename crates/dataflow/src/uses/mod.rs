//! What the dependences of a scop are used for.
pub(crate) mod copies;
pub(crate) mod dead_code;
pub(crate) mod input;
pub(crate) mod privatize;
