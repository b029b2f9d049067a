//! Differences of unions, and the predicates that follow from them.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::set::Set;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::unions::single_valued::all;

impl UnionMap {
    /// The difference.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let a = UnionMap::parse("{ S[i] -> A[x] : 0 <= x <= i; T[] -> A[0] }")?;
    /// let b = UnionMap::parse("{ S[i] -> A[x] : x < i; U[] -> A[0] }")?;
    /// let rest = a.subtract(&b, &Budget::unlimited())?;
    /// assert_eq!(rest.to_string(), "{ S[i] -> A[x = i] : i >= 0; T[] -> A[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let left = self.maps.iter().map(|map| match other.find(&map.space) {
            Some(taken) => map.subtract(taken, budget),
            None => Ok(map.clone()),
        });
        UnionMap::try_collect(&self.common_params(other), left)
    }

    /// Whether there is no integer point for any value of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 2x = 4i + 1; T[i] -> A[i] : 1 <= 3i <= 2 }")?;
    /// assert!(union.is_empty(&Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        all(&self.maps, |map| map.is_empty(budget))
    }

    /// Whether every point is in `other`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let budget = &Budget::unlimited();
    /// let written = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// let allowed = UnionMap::parse("{ S[i] -> A[x] : x >= i; T[] -> A[x]; T[] -> B[x] }")?;
    /// assert!(written.is_subset(&allowed, budget)? && !allowed.is_subset(&written, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        all(&self.maps, |map| match other.find(&map.space) {
            Some(greater) => map.is_subset(greater, budget),
            None => map.is_empty(budget),
        })
    }

    /// Whether both have the same points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let a = UnionMap::parse("{ S[i] -> A[x] : i <= x <= i; T[] -> A[0] }")?;
    /// let b = UnionMap::parse("{ T[] -> A[0]; S[i] -> A[i] }")?;
    /// assert!(a.is_equal(&b, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        Ok(self.is_subset(other, budget)? && other.is_subset(self, budget)?)
    }

    /// Whether every point is in `other`, which has further ones.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let budget = &Budget::unlimited();
    /// let a = UnionMap::parse("{ S[i] -> A[i] }")?;
    /// let b = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// assert!(a.is_strict_subset(&b, budget)? && !b.is_strict_subset(&b, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_strict_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        Ok(self.is_subset(other, budget)? && !other.is_subset(self, budget)?)
    }

    /// Whether there is no common point.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let even = UnionMap::parse("{ S[i] -> A[2i] }")?;
    /// let odd = UnionMap::parse("{ S[i] -> A[x] : x mod 2 = 1; T[] -> A[0] }")?;
    /// assert!(even.is_disjoint(&odd, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_disjoint(&self, other: &Self, budget: &Budget) -> Result<bool> {
        all(&self.maps, |map| match other.find(&map.space) {
            Some(partner) => map.is_disjoint(partner, budget),
            None => Ok(true),
        })
    }

    /// Those pairs whose domain is not in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i] : i >= 0; T[] -> B[0] }")?;
    /// let instances = UnionSet::parse("{ S[i] : i > 3 }")?;
    /// let rest = writes.subtract_domain(&instances, &Budget::unlimited())?;
    /// assert_eq!(rest.to_string(), "{ S[i] -> A[i] : 0 <= i <= 3; T[] -> B[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn subtract_domain(&self, set: &UnionSet, budget: &Budget) -> Result<Self> {
        self.try_each(|map| match set.0.find(&map.space.domain()) {
            Some(found) => map.subtract_domain(&Set(found.clone()), budget),
            None => Ok(map.clone()),
        })
    }

    /// Those pairs whose range is not in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i] : i >= 0; T[] -> B[0] }")?;
    /// let elements = UnionSet::parse("{ A[x] : x > 3; B[0] }")?;
    /// let rest = writes.subtract_range(&elements, &Budget::unlimited())?;
    /// assert_eq!(rest.to_string(), "{ S[i] -> A[i] : 0 <= i <= 3 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn subtract_range(&self, set: &UnionSet, budget: &Budget) -> Result<Self> {
        self.try_each(|map| match set.0.find(&map.space.range()) {
            Some(found) => map.subtract_range(&Set(found.clone()), budget),
            None => Ok(map.clone()),
        })
    }
}

impl UnionSet {
    /// The difference.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let a = UnionSet::parse("{ S[i] : 0 <= i <= 9; T[i] }")?;
    /// let b = UnionSet::parse("{ S[i] : i >= 5; U[i] }")?;
    /// assert_eq!(
    ///     a.subtract(&b, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] : 0 <= i <= 4; T[i] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.subtract(&other.0, budget)?))
    }

    /// Whether there is no integer point for any value of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let odd_and_even =
    ///     UnionSet::parse("{ S[i] : i mod 2 = 1 and i mod 4 = 0; T[i] : i < 0 < i }")?;
    /// assert!(odd_and_even.is_empty(&Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        self.0.is_empty(budget)
    }

    /// Whether every point is in `other`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let budget = &Budget::unlimited();
    /// let a = UnionSet::parse("{ S[4]; T[i] : i mod 4 = 0 }")?;
    /// let b = UnionSet::parse("{ S[i] : i > 0; T[i] : i mod 2 = 0; U[] }")?;
    /// assert!(a.is_subset(&b, budget)? && !b.is_subset(&a, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_subset(&other.0, budget)
    }

    /// Whether both have the same points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let a = UnionSet::parse("{ S[i] : 0 <= i <= 9; T[] }")?;
    /// let b = UnionSet::parse("{ T[]; S[i] : 0 <= i <= 4; S[i] : 5 <= i <= 9 }")?;
    /// assert!(a.is_equal(&b, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_equal(&other.0, budget)
    }

    /// Whether there is no common point.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let a = UnionSet::parse("{ S[i] : i mod 2 = 0; T[] }")?;
    /// let b = UnionSet::parse("{ S[i] : i mod 2 = 1; U[] }")?;
    /// assert!(a.is_disjoint(&b, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_disjoint(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_disjoint(&other.0, budget)
    }

    /// Whether every point is in `other`, which has further ones.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let budget = &Budget::unlimited();
    /// let union = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// let smaller = UnionSet::parse("{ T[] }")?;
    /// assert!(smaller.is_strict_subset(&union, budget)?);
    /// assert!(!union.is_strict_subset(&union, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_strict_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_strict_subset(&other.0, budget)
    }
}
