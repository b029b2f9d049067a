//! How the values of a dimension are cut into pieces that become loops.
pub(crate) mod components;
pub(crate) mod hulls;
pub(crate) mod intervals;
pub(crate) mod isolation;
pub(crate) mod order;
pub(crate) mod pieces;
pub(crate) mod regions;
pub(crate) mod shift;
pub(crate) mod unroll;
