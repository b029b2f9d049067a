//! Quasi-polynomials, piecewise, and their minima and maxima.

mod bernstein;
mod bound;
mod equality;
mod fold;
mod pw_qpolynomial;
mod qpolynomial;
mod range;
mod sparse;
mod system;
mod vertices;

pub use bound::BoundMethod;
pub use fold::{FoldKind, PwQPolynomialFold, QPolynomialFold, UnionPwQPolynomialFold};
pub use pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};
pub use qpolynomial::QPolynomial;
