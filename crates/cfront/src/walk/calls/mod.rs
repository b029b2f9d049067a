//! Calls: what they access, the values that they return, and the bodies that are walked over.

pub(crate) mod argument_bounds;
pub(crate) mod arguments;
pub(crate) mod block_copies;
pub(crate) mod call_effects;
pub(crate) mod call_values;
pub(crate) mod called_bodies;
