//! The syntax tree, and what a user does while it is made.
pub(crate) mod annotation;
pub(crate) mod multiples;
pub(crate) mod node;
pub(crate) mod visitor;
