//! The affine hull of integer points.
