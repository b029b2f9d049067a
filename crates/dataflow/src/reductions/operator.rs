//! The operators of reductions.

/// An associative and commutative operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReductionOperator {
    /// `+`, also for `-=`.
    Sum,
    /// `*`, also for `/=` of floating point.
    Product,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    ExclusiveOr,
    /// The lesser of two values.
    Minimum,
    /// The greater of two values.
    Maximum,
}

impl ReductionOperator {
    /// The operator in OpenMP's `reduction` clause.
    ///
    /// ```
    /// use loopwright_dataflow::ReductionOperator;
    /// assert_eq!(ReductionOperator::Sum.clause(), "+");
    /// assert_eq!(ReductionOperator::Minimum.clause(), "min");
    /// ```
    pub fn clause(self) -> &'static str {
        match self {
            ReductionOperator::Sum => "+",
            ReductionOperator::Product => "*",
            ReductionOperator::And => "&",
            ReductionOperator::Or => "|",
            ReductionOperator::ExclusiveOr => "^",
            ReductionOperator::Minimum => "min",
            ReductionOperator::Maximum => "max",
        }
    }
}
