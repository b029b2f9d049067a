//! What is known where a loop is reached.
use crate::expressions::scope::Scope;
use crate::level::bounds::lower_bound;
use crate::level::stride::Stride;
use crate::nest::tree::Loop;
use crate::places::build::Build;
use loopwright_presburger::*;
use std::fmt;
use std::sync::Arc;

/// The most work for finding out whether a loop always runs.
const STEPS: u64 = 100_000;

/// What is known before a loop; nothing for loops that the generator has not made.
///
/// Whoever prints code around a loop that is to be executed only if the loop runs (values kept in registers,
/// say) asks whether that needs a condition.
///
/// ```
/// use loopwright_astgen::{AstNode, Options, generate_from_map};
/// use loopwright_presburger::{Budget, Set, UnionMap};
/// let schedule = UnionMap::parse("[n] -> { S[i, j] -> [i, j] : 0 <= i < n and 0 <= j <= i }")?;
/// let (context, none) = (Set::parse("{ : }")?, UnionMap::empty());
/// let budget = Budget::steps(1_000_000);
/// let ast = generate_from_map(&schedule, &context, &none, &Options::STANDARD, &budget)?;
/// let AstNode::For(outer) = ast else { panic!("a loop") };
/// let AstNode::For(inner) = &*outer.body else { panic!("a loop") };
/// assert!(!outer.entry.always_runs()? && inner.entry.always_runs()?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Entry(Option<Arc<Facts>>);

struct Facts {
    build: Build,
    level: usize,
    bounds: BasicSet,
    is_piecewise: bool,
    stride: Option<Stride>,
}

impl Entry {
    pub(crate) fn new(scope: &Scope, each: &Loop) -> Entry {
        let Loop { level, bounds, piecewise, stride, .. } = each;
        let (level, bounds, stride) = (*level, bounds.clone(), stride.clone());
        let is_piecewise = piecewise.lower.is_some() || piecewise.upper.is_some();
        let build = Build { scope: scope.clone() };
        Entry(Some(Arc::new(Facts { build, level, bounds, is_piecewise, stride })))
    }

    /// The point before the loop, if it is known.
    pub fn outside(&self) -> Option<&Build> {
        self.0.as_ref().map(|facts| &facts.build)
    }

    /// Whether the loop has an iteration whenever it is reached; false if that is not found within a limit.
    ///
    /// *Cost.* One emptiness test for each pair of a lower and an upper bound, together at most 100000 steps.
    ///
    /// # Errors
    /// Those of the operations on sets.
    pub fn always_runs(&self) -> Result<bool> {
        match &self.0 {
            Some(facts) if !facts.is_piecewise => match facts.always_runs(&Budget::steps(STEPS)) {
                Err(Error::Exceeded { .. }) => Ok(false),
                other => other,
            },
            _ => Ok(false),
        }
    }
}

/// The point before the loop.
impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Entry").field(&self.outside()).finish()
    }
}

impl Facts {
    /// Whether nowhere some first value is beyond some last one.
    fn always_runs(&self, budget: &Budget) -> Result<bool> {
        let map = self.bounds.as_basic_map();
        let column = map.offset(DimKind::Out) + self.level;
        let rows =
            |sign: i32| map.inequalities().iter().filter(move |row| row.sign(column) == sign);
        for lower in rows(1) {
            let bound = lower_bound(map, lower, self.level);
            let first = match &self.stride {
                Some(stride) => stride.at_least(&bound)?,
                None => bound,
            };
            for upper in rows(-1) {
                let beyond = first.sub(&lower_bound(map, upper, self.level))?;
                let beyond = beyond.add_constant(&Int::MINUS_ONE).nonneg_set();
                if !self.build.known().intersect(&beyond)?.is_empty(budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(rows(-1).next().is_some())
    }
}
