//! Conditions that are checked at run time.
//!
//! A compiler that assumes something about the parameters (array subscripts stay in their
//! dimensions, arrays do not overlap) makes a set or an expression of it, and generates the
//! condition under which the transformed code may run. Grosser, Verdoolaege, Cohen, "Polyhedral AST
//! generation is more than scanning polyhedra" (TOPLAS 37(4), 2015), section 7.5.
use crate::expressions::expression::AstExpr;
use crate::places::build::Build;
use loopwright_presburger::*;

/// Something that a compiler assumes about the values of the parameters and about memory.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Assumption<'a> {
    /// The parameters are in a set.
    Parameters(&'a Set),
    /// All elements that are accessed are in their arrays, see [`in_bounds`]. For a linearised access that is
    /// taken for one with several subscripts this says that each of them stays in its dimension.
    InBounds {
        /// The elements that are accessed.
        accessed: &'a UnionSet,
        /// The elements of the arrays.
        extent: &'a UnionSet,
    },
    /// Two arrays do not overlap in the elements that are accessed, see [`do_not_overlap`].
    NoOverlap {
        /// What is accessed of one array.
        first: &'a Set,
        /// What is accessed of the other one.
        second: &'a Set,
    },
}

/// The condition that all assumptions hold, simplified by what is known at `build`: what code that relies on
/// them asks before it runs. The constant 1 if nothing is left to ask, 0 if they never hold together.
///
/// What is said of the parameters comes first, so that addresses are compared only of elements that exist.
///
/// *Cost.* One subtraction per assumption, two lexicographic optima per pair of arrays.
///
/// ```
/// use loopwright_astgen::{Assumption, Build, run_time_condition};
/// use loopwright_presburger::{Budget, Set, UnionSet};
/// let build = Build::from_context(&Set::parse("[n, m] -> { : n >= 1 }")?)?;
/// let accessed = UnionSet::parse("[n] -> { A[i, j] : 0 <= i < n and 0 <= j <= i }")?;
/// let extent = UnionSet::parse("[m] -> { A[i, j] : 0 <= i < 100 and 0 <= j < m }")?;
/// let (read, written) = (Set::parse("[n] -> { A[i, 0] : 0 <= i < n }")?, Set::parse("{ B[0] }")?);
/// let assumptions = [
///     Assumption::InBounds { accessed: &accessed, extent: &extent },
///     Assumption::NoOverlap { first: &read, second: &written },
/// ];
/// let condition = run_time_condition(&build, &assumptions, &Budget::steps(1_000_000))?;
/// let expected = "n <= 100 && m >= n && (&A[n - 1][0] < &B[0] || &B[0] < &A[0][0])";
/// assert_eq!(condition.to_string(), expected);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// Those of [`in_bounds`] and [`do_not_overlap`]; [`Error::Invalid`] if `build` is inside of loops whose
/// dimensions a set of parameters does not fit.
pub fn run_time_condition(
    build: &Build,
    assumptions: &[Assumption<'_>],
    budget: &Budget,
) -> Result<AstExpr> {
    let mut good = Set::universe(Space::params(&[]));
    for assumption in assumptions {
        let set = match assumption {
            Assumption::Parameters(set) => set.params(),
            Assumption::InBounds { accessed, extent } => in_bounds(accessed, extent, budget)?,
            Assumption::NoOverlap { .. } => continue,
        };
        good = good.intersect(&set)?;
    }
    let good = good.coalesce(budget)?;
    if good.is_empty(budget)? {
        return Ok(AstExpr::int(0));
    }
    let mut conditions = match build.condition(&good)? {
        AstExpr::And(parts) => parts,
        single => vec![single],
    };
    let n_eager = conditions.len();
    let inside = build.restricted(&good)?;
    for assumption in assumptions {
        if let Assumption::NoOverlap { first, second } = assumption {
            conditions.push(do_not_overlap(&inside, first, second, budget)?);
        }
    }
    let is_short_circuit = conditions.len() > n_eager;
    conditions.retain(|condition| condition.as_int().is_none_or(|value| !value.is_one()));
    Ok(match conditions.len() {
        2.. if is_short_circuit => AstExpr::AndThen(conditions),
        _ => AstExpr::and(conditions),
    })
}

/// The values of the parameters for which all elements that are accessed are in the array.
///
/// `accessed` are elements that are accessed, `extent` the elements of the arrays.
///
/// ```
/// use loopwright_astgen::{Build, in_bounds};
/// use loopwright_presburger::{Budget, Set, UnionSet};
/// let accessed = UnionSet::parse("[n] -> { A[i, j] : 0 <= i < n and 0 <= j <= i + 1 }")?;
/// let extent = UnionSet::parse("[n, m] -> { A[i, j] : 0 <= i < 100 and 0 <= j < m }")?;
/// let good = in_bounds(&accessed, &extent, &Budget::steps(1_000_000))?;
/// let build = Build::from_context(&Set::parse("[n] -> { : n >= 1 }")?)?;
/// assert_eq!(build.condition(&good)?.to_string(), "n <= 100 && m > n");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Cost.* One subtraction for each array.
///
/// # Errors
/// [`Error::Exceeded`].
pub fn in_bounds(accessed: &UnionSet, extent: &UnionSet, budget: &Budget) -> Result<Set> {
    let bad = accessed.subtract(extent, budget)?.params();
    Set::universe(bad.space().clone()).subtract(&bad, budget)?.coalesce(budget)
}

/// The condition that two arrays do not overlap in the elements that are accessed: one range of
/// addresses ends before the other starts, or one of them is empty.
///
/// Each set is over one array of the same element type, laid out in the order of its subscripts.
///
/// ```
/// use loopwright_astgen::{Build, do_not_overlap};
/// use loopwright_presburger::{Budget, Set};
/// let build = Build::from_context(&Set::parse("[n] -> { : n >= 1 }")?)?;
/// let (a, b) = (Set::parse("[n] -> { A[i] : 0 <= i < n }")?, Set::parse("{ B[0] }")?);
/// let condition = do_not_overlap(&build, &a, &b, &Budget::steps(1_000_000))?;
/// assert_eq!(condition.to_string(), "&A[n - 1] < &B[0] || &B[0] < &A[0]");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Cost.* Two lexicographic optima for each array.
///
/// # Errors
/// [`Error::Exceeded`]; [`Error::Invalid`] if a set has no first or last element.
pub fn do_not_overlap(
    build: &Build,
    first: &Set,
    second: &Set,
    budget: &Budget,
) -> Result<AstExpr> {
    let mut alternatives = Vec::new();
    for accessed in [first, second] {
        let accessed = accessed.params();
        let none = Set::universe(accessed.space().clone()).subtract(&accessed, budget)?;
        let is_empty = build.condition(&none)?;
        if is_empty == AstExpr::int(1) {
            return Ok(is_empty);
        }
        if is_empty != AstExpr::int(0) {
            alternatives.push(is_empty);
        }
    }
    for (before, after) in [(first, second), (second, first)] {
        let last = build.access(&before.lexmax_pw_multi_aff(budget)?)?;
        let start = build.access(&after.lexmin_pw_multi_aff(budget)?)?;
        let address = |element: AstExpr| Box::new(AstExpr::AddressOf(Box::new(element)));
        alternatives.push(AstExpr::Lt(address(last), address(start)));
    }
    Ok(AstExpr::OrElse(alternatives))
}
