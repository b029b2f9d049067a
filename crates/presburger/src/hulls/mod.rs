//! Less pieces with more points, or none: hulls, generators, vertices, strides.

pub(crate) mod affine_hull;
pub(crate) mod convex_hull;
mod directions;
pub(crate) mod farkas;
pub(crate) mod fixed_box;
pub(crate) mod generators;
pub(crate) mod lattice_width;
mod parametric_width;
pub(crate) mod simple_hull;
pub(crate) mod stride;
pub(crate) mod union_hulls;
pub(crate) mod vertices;
