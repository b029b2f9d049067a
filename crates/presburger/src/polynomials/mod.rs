//! Quasi-polynomials, piecewise, and their minima and maxima.

pub(crate) mod bernstein;
pub(crate) mod bound;
pub(crate) mod equality;
pub(crate) mod fold;
mod joined_floors;
pub(crate) mod pw_qpolynomial;
pub(crate) mod qpolynomial;
pub(crate) mod range;
pub(crate) mod sparse;
pub(crate) mod system;
pub(crate) mod vertices;
pub(crate) mod without_floors;
