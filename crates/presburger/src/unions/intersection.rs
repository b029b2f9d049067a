//! Intersections of unions, also with sets of their parameters, domains and ranges.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;

impl UnionMap {
    /// The intersection.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let a = UnionMap::parse("{ S[i] -> A[x] : x >= i; T[] -> A[0] }")?;
    /// let b = UnionMap::parse("{ S[i] -> A[x] : x <= i; T[] -> B[0] }")?;
    /// assert_eq!(a.intersect(&b)?.to_string(), "{ S[i] -> A[x = i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect(&self, other: &Self) -> Result<Self> {
        self.intersect_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::intersect`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let a = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// let b = UnionMap::parse("{ S[i] -> A[x] : x > 0; U[] -> A[0] }")?;
    /// let both = a.intersect_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ S[i] -> A[i] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::intersect`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_partners(other, |a, b| a.intersect_within(b, budget))
    }

    /// The intersection with a set of parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, UnionMap};
    /// let union = UnionMap::parse("[n] -> { S[i] -> A[i + n]; T[] -> A[n] : n < 0 }")?;
    /// let positive = Set::parse("[n] -> { : n > 0 }")?;
    /// assert_eq!(
    ///     union.intersect_params(&positive)?.to_string(),
    ///     "[n] -> { S[i] -> A[n + i] : n > 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if `params` is no parameter set,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> {
        self.intersect_params_within(params, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::intersect_params`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set, UnionMap};
    /// let union = UnionMap::parse("[n] -> { S[i] -> A[i]; T[] -> A[n] }")?;
    /// let params = Set::parse("[n] -> { : n > 0 }")?;
    /// let part = union.intersect_params_within(&params, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "[n] -> { S[i] -> A[i] : n > 0; T[] -> A[n] : n > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::intersect_params`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_params_within(&self, params: &Set, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.intersect_params_within(params, budget))
    }

    /// Those pairs whose first is in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i]; T[] -> B[0] }")?;
    /// let instances = UnionSet::parse("{ S[i] : i > 0 }")?;
    /// assert_eq!(writes.intersect_domain(&instances)?.to_string(), "{ S[i] -> A[i] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect_domain(&self, set: &UnionSet) -> Result<Self> {
        self.intersect_domain_within(set, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::intersect_domain`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i]; T[] -> B[0] }")?;
    /// let instances = UnionSet::parse("{ S[i] : i > 5 or i < 0 }")?;
    /// let part = writes.intersect_domain_within(&instances, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "{ S[i] -> A[i] : i >= 6 or i < 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::intersect_domain`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_domain_within(&self, set: &UnionSet, budget: &Budget) -> Result<Self> {
        self.with_sets(set, Space::domain, |a, b| a.intersect_domain_within(b, budget))
    }

    /// Those pairs whose second is in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i]; T[] -> B[0] }")?;
    /// let elements = UnionSet::parse("{ A[5]; B[1] }")?;
    /// assert_eq!(writes.intersect_range(&elements)?.to_string(), "{ S[i = 5] -> A[5] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect_range(&self, set: &UnionSet) -> Result<Self> {
        self.intersect_range_within(set, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::intersect_range`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i]; T[] -> B[0] }")?;
    /// let elements = UnionSet::parse("{ A[x] : x > 5 or x < 0 }")?;
    /// let part = writes.intersect_range_within(&elements, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "{ S[i] -> A[i] : i >= 6 or i < 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::intersect_range`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_range_within(&self, set: &UnionSet, budget: &Budget) -> Result<Self> {
        self.with_sets(set, Space::range, |a, b| a.intersect_range_within(b, budget))
    }
}

impl UnionSet {
    /// The intersection.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let a = UnionSet::parse("{ S[i] : i >= 0; T[i] }")?;
    /// let b = UnionSet::parse("{ S[i] : i <= 9; U[i] }")?;
    /// assert_eq!(a.intersect(&b)?.to_string(), "{ S[i] : 0 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect(&self, other: &Self) -> Result<Self> {
        self.intersect_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionSet::intersect`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let a = UnionSet::parse("{ S[i] : i >= 0; T[i] }")?;
    /// let b = UnionSet::parse("{ S[i] : i <= 9; U[i] }")?;
    /// let both = a.intersect_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ S[i] : 0 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionSet::intersect`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.intersect_within(&other.0, budget)?))
    }

    /// The intersection with a set of parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, UnionSet};
    /// let union = UnionSet::parse("[n] -> { S[n]; T[i] : 0 <= i < n }")?;
    /// let large = Set::parse("[n] -> { : n >= 8 }")?;
    /// assert_eq!(
    ///     union.intersect_params(&large)?.to_string(),
    ///     "[n] -> { S[n] : n >= 8; T[i] : n >= 8 and 0 <= i < n }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if `params` is no parameter set,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> {
        self.intersect_params_within(params, &Budget::for_one_call())
    }

    /// The same as [`UnionSet::intersect_params`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set, UnionSet};
    /// let union = UnionSet::parse("[n] -> { S[i] : i < n; T[] }")?;
    /// let params = Set::parse("[n] -> { : n > 7 }")?;
    /// let part = union.intersect_params_within(&params, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "[n] -> { S[i] : n >= 8 and i < n; T[] : n >= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionSet::intersect_params`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_params_within(&self, params: &Set, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.intersect_params_within(params, budget)?))
    }
}

impl UnionMap {
    /// Combines every relation with the set of its domain or range; drops those without one.
    pub(crate) fn with_sets(
        &self,
        set: &UnionSet,
        end: fn(&Space) -> Space,
        mut combine: impl FnMut(&Map, &Set) -> Result<Map>,
    ) -> Result<Self> {
        let pairs = self.maps.iter().filter_map(|map| Some((map, set.0.find(&end(&map.space))?)));
        let results = pairs.map(|(map, found)| combine(map, &Set(found.clone())));
        UnionMap::try_collect(&self.common_params(&set.0), results)
    }
}
