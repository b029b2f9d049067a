//! The values of one schedule dimension: bounds, congruences, single values.
pub(crate) mod extreme;
pub(crate) mod floorless;
pub(crate) mod half_space;
pub(crate) mod lone_floor;
pub(crate) mod piecewise_bounds;
pub(crate) mod stride;
pub(crate) mod value;
