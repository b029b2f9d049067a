//! Numbers of elements and of images.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::count::pieces::merged;
use crate::count::sum::{added, one, sum_over_images};
use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};

const OPERATION: &str = "card";

/// The number of images (or of elements) of a relation (or set).
fn counted(map: &Map, budget: &Budget) -> Result<PwQPolynomial> {
    let space = map.space();
    let outer = if space.is_map() { space.domain() } else { space.to_params() };
    if map.plain_is_empty() {
        return Ok(PwQPolynomial::empty(&outer));
    }
    let explicit = map.make_locals_explicit(budget)?;
    let single = match explicit.basics.len() {
        1 => explicit,
        _ => explicit.coalesce(budget)?.make_disjoint(budget)?.make_locals_explicit(budget)?,
    };
    let start = budget.used();
    let sum = sum_over_images(&single, &one(space), &outer, budget)?;
    merged(sum, budget.used() - start, budget)
}

impl Set {
    /// The number of elements as a function of the parameters, exactly; infinite where it is.
    ///
    /// *Method.* Disjoint pieces, existentials as floors, then sums over one variable after the other
    /// by Faulhaber's formulas (Pugh, "Counting solutions to Presburger formulas", 1994).
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// let triangle = Set::parse("[n] -> { [i, j] : 0 <= j <= i < n }")?;
    /// assert_eq!(triangle.card(budget)?.to_string(), "[n] -> { (1/2*n^2 + 1/2*n) : n > 0 }");
    /// let even = Set::parse("[n] -> { [i] : 0 <= i < n and i mod 2 = 0 }")?;
    /// assert_eq!(even.card(budget)?.to_string(), "[n] -> { (floor((1 + n)/2)) : n > 0 }");
    /// assert_eq!(Set::parse("{ [i] : i > 0 }")?.card(budget)?.to_string(), "{ infty }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded): the number of pieces may grow exponentially with the number of
    /// dimensions.
    pub fn card(&self, budget: &Budget) -> Result<PwQPolynomial> {
        counted(&self.0, budget).during(OPERATION)
    }
}

impl Map {
    /// The number of images of each element, as a function of the element.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let later = Map::parse("[n] -> { S[i] -> T[j] : i < j < n }")?;
    /// let n_images = later.card(&Budget::unlimited())?;
    /// assert_eq!(n_images.to_string(), "[n] -> { S[i] -> (n - i - 1) : i <= -2 + n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::card`].
    pub fn card(&self, budget: &Budget) -> Result<PwQPolynomial> {
        counted(self, budget).during(OPERATION)
    }
}

impl UnionSet {
    /// The number of elements in all spaces together.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let instances = UnionSet::parse("[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n }")?;
    /// let n_instances = instances.card(&Budget::unlimited())?;
    /// assert_eq!(n_instances.to_string(), "[n] -> { (n^2 + n) : n > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::card`].
    pub fn card(&self, budget: &Budget) -> Result<UnionPwQPolynomial> {
        added(self.sets().iter().map(|set| set.card(budget)), budget).during(OPERATION)
    }
}

impl UnionMap {
    /// The number of images of each element in all spaces together.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let uses = UnionMap::parse("{ S[i] -> A[x] : i <= x <= i + 2; S[i] -> B[]; T[] -> B[] }")?;
    /// let n_uses = uses.card(&Budget::unlimited())?;
    /// assert_eq!(n_uses.to_string(), "{ S[i] -> (4); T[] -> (1) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::card`].
    pub fn card(&self, budget: &Budget) -> Result<UnionPwQPolynomial> {
        added(self.maps().iter().map(|map| map.card(budget)), budget).during(OPERATION)
    }
}
