//! Parametric integer programming: lexicographic minima as functions of symbols, and what is found with them.

pub(crate) mod context;
pub(crate) mod explicit_locals;
pub(crate) mod lexicographic_optimum;
pub(crate) mod lexmin_problem;
pub(crate) mod parametric_lexmin;
pub(crate) mod parametric_tableau;
pub(crate) mod pointwise_optimum;
pub(crate) mod quantifier_elimination;
pub(crate) mod undo_case_splits;
