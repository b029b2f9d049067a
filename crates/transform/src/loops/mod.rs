//! Transformations of loops other than tiling: each in one file, named after the transformation.
pub mod distribute;
pub mod interleave;
pub mod loop_order;
pub mod reductions;
pub mod searches;
pub mod split_at_carried_iteration;
pub mod vectorize;
pub mod wavefront;
