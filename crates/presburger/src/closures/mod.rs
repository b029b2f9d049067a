//! Paths of a relation: powers and transitive closures.

pub(crate) mod closure;
pub(crate) mod paths;
pub(crate) mod power;
pub(crate) mod transitive_closure;
