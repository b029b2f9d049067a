//! Quasi-affine expressions, piecewise, in tuples, and over several spaces.

pub(crate) mod aff;
pub(crate) mod arithmetic;
pub(crate) mod binding;
pub(crate) mod comparison;
pub(crate) mod context;
pub(crate) mod dimensions;
pub(crate) mod expression;
pub(crate) mod floor;
pub(crate) mod from_map;
pub(crate) mod graph_reader;
pub(crate) mod lexicographic_optimum;
pub(crate) mod multi;
pub(crate) mod multi_aff;
pub(crate) mod multi_pw_aff;
pub(crate) mod multi_union_pw_aff;
pub(crate) mod multi_val;
pub(crate) mod optimum;
pub(crate) mod piecewise;
pub(crate) mod pointwise;
pub(crate) mod preimage;
pub(crate) mod pw_aff;
pub(crate) mod pw_multi_aff;
pub(crate) mod tuple_operations;
pub(crate) mod union_piecewise;
pub(crate) mod union_pw_aff;
pub(crate) mod union_pw_multi_aff;
