//! What can be chosen about expressions.
use crate::options::choices::Options;

/// The options of expressions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpressionChoices {
    /// Divisions and remainders of dividends that are not negative instead of floors.
    pub(crate) prefer_pdiv: bool,
    /// Minima and maxima instead of conditionals.
    pub(crate) detect_min_max: bool,
}

impl ExpressionChoices {
    /// Those of [`Options::STANDARD`].
    pub(crate) const STANDARD: Self = Self::of(&Options::STANDARD);

    pub(crate) const fn of(options: &Options) -> Self {
        ExpressionChoices {
            prefer_pdiv: options.prefer_pdiv,
            detect_min_max: options.detect_min_max,
        }
    }
}
