//! Schedule constraints to schedule trees.
