//! Expressions, and how quasi-affine forms become some that are easy to read.
pub(crate) mod dividend;
pub(crate) mod expression;
pub(crate) mod expression_choices;
pub(crate) mod named_form;
pub(crate) mod scope;
pub(crate) mod shortening;
pub(crate) mod sum;
pub(crate) mod tile_origin;
