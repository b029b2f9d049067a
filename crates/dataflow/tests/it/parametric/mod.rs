//! Dataflow through conditions on data: examples and random programs against runs of them.

pub(crate) mod corpus;
mod examples;
mod mini_c;
mod oracle;
pub(crate) mod random;
