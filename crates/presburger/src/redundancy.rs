//! Removing constraints that follow from others, and making implicit equalities explicit.
