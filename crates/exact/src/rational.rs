//! Exact fractions.
use crate::Int;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    /// Above the bar.
    pub numerator: Int,
    /// Below the bar, positive.
    pub denominator: Int,
}
