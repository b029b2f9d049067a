//! The recursion that builds the tree, and what it does when nothing is found.
mod carry;
pub(crate) mod fallback;
pub(crate) mod scheduler;
mod tree;
mod wavefront;
