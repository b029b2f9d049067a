//! Optimal values.
use loopwright_exact::Int;

/// The result of an optimization.
///
/// ```
/// # use loopwright_presburger::{Aff, Budget, Int, Optimum, Set};
/// let budget = &Budget::unlimited();
/// let set = Set::parse("{ [i] : 2i >= 5 }")?;
/// let i = Aff::parse("{ [i] -> [(i)] }")?;
/// assert_eq!(set.min_val(&i, budget)?, Optimum::At(Int::from(3)));
/// assert_eq!(set.max_val(&i, budget)?, Optimum::Unbounded);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Optimum {
    /// There is no point.
    Empty,
    /// There are points, and no bound.
    Unbounded,
    /// The optimal value.
    At(Int),
}
