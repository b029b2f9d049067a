//! The normal form of a conjunction of constraints.

pub(crate) mod equalities;
pub(crate) mod existential_elimination;
pub(crate) mod floors;
pub(crate) mod inequalities;
pub(crate) mod simplify;
pub(crate) mod step;
pub(crate) mod unit_pivots;
