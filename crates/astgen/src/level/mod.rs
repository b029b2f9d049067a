//! The values of one schedule dimension: bounds, congruences, single values.
pub(crate) mod bounds;
pub(crate) mod degenerate_dimensions;
pub(crate) mod floor_bounds;
pub(crate) mod half_space;
pub(crate) mod implied_constraints;
pub(crate) mod localized;
pub(crate) mod min_max;
pub(crate) mod piecewise_bounds;
pub(crate) mod plain_sets;
pub(crate) mod stride;
