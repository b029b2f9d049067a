//! Expressions, and how quasi-affine forms become some that are easy to read.
pub(crate) mod dividend;
pub(crate) mod drop_idle_parameters;
pub(crate) mod expression;
pub(crate) mod expression_choices;
pub(crate) mod floors_as_iterators;
pub(crate) mod named_form;
pub(crate) mod scope;
pub(crate) mod sum;
pub(crate) mod value_range;
