//! The same unions written differently: inside a context, in fewer or in disjoint pieces, with explicit
//! locals.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;

impl UnionMap {
    /// A cheaper description that equals `self` inside `context`.
    ///
    /// Spaces that `context` lacks are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 0 <= i <= x; T[] -> A[0] }")?;
    /// let known = UnionMap::parse("{ S[i] -> A[x] : i >= 0 }")?;
    /// assert_eq!(
    ///     union.gist(&known, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[x] : x >= i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        self.with_partners(context, |map, context| map.gist(context, budget))
    }

    /// The gist with respect to a set of parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set, UnionMap};
    /// let union = UnionMap::parse("[n] -> { S[i] -> A[i] : 0 <= i < n and n >= 3 }")?;
    /// let known = Set::parse("[n] -> { : n >= 3 }")?;
    /// let simpler = union.gist_params(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "[n] -> { S[i] -> A[i] : 0 <= i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.gist_params(context, budget))
    }

    /// The gist inside a domain; spaces outside of it are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let union = UnionMap::parse("{ S[i] -> A[i] : 0 <= i <= 9; T[] -> A[0] }")?;
    /// let known = UnionSet::parse("{ S[i] : i >= 0 }")?;
    /// let simpler = union.gist_domain(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "{ S[i] -> A[i] : i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist_domain(&self, context: &UnionSet, budget: &Budget) -> Result<Self> {
        self.with_sets(context, Space::domain, |map, set| map.gist_domain(set, budget))
    }

    /// The gist inside a range; spaces outside of it are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 0 <= x <= i; T[] -> B[0] }")?;
    /// let known = UnionSet::parse("{ A[x] : x >= 0 }")?;
    /// let simpler = union.gist_range(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "{ S[i] -> A[x] : x <= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist_range(&self, context: &UnionSet, budget: &Budget) -> Result<Self> {
        self.with_sets(context, Space::range, |map, set| map.gist_range(set, budget))
    }

    /// The same points in fewer basic pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union =
    ///     UnionMap::parse("{ S[i] -> A[i] : i <= 4; S[i] -> A[i] : i >= 5; T[] -> A[0] }")?;
    /// let short = union.coalesce(&Budget::unlimited())?;
    /// assert_eq!(short.to_string(), "{ S[i] -> A[i]; T[] -> A[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        let mut maps = Vec::with_capacity(self.maps.len());
        for map in &self.maps {
            let joined = map.coalesce(budget)?;
            if !joined.plain_is_empty() {
                maps.push(joined);
            }
        }
        // The order of the tuples and the parameters stay.
        Ok(UnionMap { params: self.params.clone(), maps })
    }

    /// The same points in pairwise disjoint pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[0] : i <= 6; S[i] -> A[0] : i >= 4 }")?;
    /// let disjoint = union.make_disjoint(&Budget::unlimited())?;
    /// assert_eq!(disjoint.to_string(), "{ S[i] -> A[0] : i <= 6 or i >= 7 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.make_disjoint(budget))
    }

    /// The same points without unknown existentials: every local is an explicit floor.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : exists e: 3e <= i + x <= 3e + 1 }")?;
    /// assert_eq!(
    ///     union.make_locals_explicit(&Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[x] : x <= 1 - i + 3*floor((i + x)/3) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn make_locals_explicit(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.make_locals_explicit(budget))
    }

    /// The same without constraints that follow from others.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 0 <= i <= x and x >= -5 }")?;
    /// let short = union.remove_redundancies(&Budget::unlimited())?;
    /// assert_eq!(short.to_string(), "{ S[i] -> A[x] : i >= 0 and x >= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.remove_redundancies(budget))
    }

    /// The same with implicit equalities made explicit.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 2i <= 2x + 1 and x <= i }")?;
    /// let explicit = union.detect_equalities(&Budget::unlimited())?;
    /// assert_eq!(explicit.to_string(), "{ S[i] -> A[x = i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn detect_equalities(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.detect_equalities(budget))
    }
}

impl UnionSet {
    /// A cheaper description that equals `self` inside `context`.
    ///
    /// Spaces that `context` lacks are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i] : 0 <= i <= 9; T[i] : i = 3 }")?;
    /// let known = UnionSet::parse("{ S[i] : i >= 0 }")?;
    /// assert_eq!(union.gist(&known, &Budget::unlimited())?.to_string(), "{ S[i] : i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.gist(&context.0, budget)?))
    }

    /// The gist with respect to a set of parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set, UnionSet};
    /// let union = UnionSet::parse("[n] -> { S[i] : 0 <= i < n and n >= 3; T[] : n >= 1 }")?;
    /// let known = Set::parse("[n] -> { : n >= 3 }")?;
    /// let simpler = union.gist_params(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "[n] -> { S[i] : 0 <= i < n; T[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.gist_params(context, budget)?))
    }

    /// The same points in fewer basic pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i] : 0 <= i <= 4; S[i] : 5 <= i <= 9; T[0] }")?;
    /// let short = union.coalesce(&Budget::unlimited())?;
    /// assert_eq!(short.to_string(), "{ S[i] : 0 <= i <= 9; T[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.coalesce(budget)?))
    }

    /// The same points in pairwise disjoint pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i] : 0 <= i <= 6; S[i] : 4 <= i <= 9 }")?;
    /// let disjoint = union.make_disjoint(&Budget::unlimited())?;
    /// assert_eq!(disjoint.to_string(), "{ S[i] : 0 <= i <= 6 or 7 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.make_disjoint(budget)?))
    }

    /// The same points without unknown existentials: every local is an explicit floor.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i] : exists e: 3e <= i <= 3e + 1 }")?;
    /// assert_eq!(
    ///     union.make_locals_explicit(&Budget::unlimited())?.to_string(),
    ///     "{ S[i] : i <= 1 + 3*floor((i)/3) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn make_locals_explicit(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.make_locals_explicit(budget)?))
    }

    /// The same without constraints that follow from others.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i, j] : 0 <= i <= j and i + j >= 0 }")?;
    /// assert_eq!(
    ///     union.remove_redundancies(&Budget::unlimited())?.to_string(),
    ///     "{ S[i, j] : i >= 0 and j >= i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.remove_redundancies(budget)?))
    }

    /// The same with implicit equalities made explicit.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i, j] : i <= j and j <= i; T[i] : 2 <= 3i <= 5 }")?;
    /// assert_eq!(
    ///     union.detect_equalities(&Budget::unlimited())?.to_string(),
    ///     "{ S[i, j = i]; T[i = 1] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn detect_equalities(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.detect_equalities(budget)?))
    }
}
