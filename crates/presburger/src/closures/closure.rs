//! Relations that are what was asked for or contain it, and how they are kept small.
use crate::core::budget::Budget;
use crate::core::error::{Error, Result};
use crate::core::map::Map;

/// ... whether those of every length are, ...
pub(crate) const LENGTHS: u64 = 150_000;

/// ... and of simplifications of a relation.
pub(crate) const SIMPLIFY: u64 = 200_000;

/// A relation with the knowledge whether it is what was asked for or contains it.
///
/// ```
/// # use loopwright_presburger::{Budget, Closure, Map};
/// let step = Map::parse("{ [i] -> [i + 1] }")?;
/// let Closure { relation, is_exact } = step.transitive_closure(&Budget::unlimited())?;
/// assert!(is_exact);
/// assert_eq!(relation.to_string(), "{ [i] -> [o0] : o0 > i }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Closure<T> {
    /// The closure, or a relation that contains it.
    pub relation: T,
    /// Whether it is the closure.
    pub is_exact: bool,
}

impl<T> Closure<T> {
    pub(crate) fn exact(relation: T) -> Self {
        Closure { relation, is_exact: true }
    }
}

/// The same points in few pieces if that is not too much work.
pub(crate) fn few_pieces(map: Map, budget: &Budget) -> Result<Map> {
    map.coalesce_up_to(SIMPLIFY, budget)
}

/// In few pieces without unknown existentials; larger if the same points are too much work.
pub(crate) fn explicit(map: &Map, budget: &Budget) -> Result<Map> {
    let same = budget.attempt(SIMPLIFY, |b| map.make_locals_explicit(b)?.coalesce(b))?;
    Ok(same.unwrap_or_else(|| map.remove_unknown_locals()))
}

/// Pairs of a first step in one and the rest in the other relation, in few pieces.
pub(crate) fn compose(first: &Map, second: &Map, budget: &Budget) -> Result<Map> {
    few_pieces(first.apply_range_within(second, budget)?, budget)
}

/// An error unless domain and range are the same space.
pub(crate) fn check_square(map: &Map, operation: &'static str) -> Result<()> {
    if map.space.is_map() && map.space.input() == map.space.output() {
        return Ok(());
    }
    let reason = format!("{} does not relate a tuple with itself", map.space);
    Err(Error::Invalid { operation, reason })
}
