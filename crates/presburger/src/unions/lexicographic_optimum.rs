//! Lexicographic optima of unions.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;

impl UnionMap {
    /// The smallest images per space.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union =
    ///     UnionMap::parse("{ S[i] -> A[x] : x >= i and x >= 0; T[i] -> A[x] : 2x >= i }")?;
    /// assert_eq!(
    ///     union.lexmin(&Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[x = i] : i >= 0; S[i] -> A[x = 0] : i < 0; T[i] -> A[x] : i <= 2x <= 1 + i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`](crate::Map::lexmin).
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.lexmin(budget))
    }

    /// The greatest images per space.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 3x <= i; T[] -> A[x] : 0 <= x <= 9 }")?;
    /// assert_eq!(
    ///     union.lexmax(&Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[x] : -2 + i <= 3x <= i; T[] -> A[x = 9] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmax`](crate::Map::lexmax).
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.lexmax(budget))
    }
}

impl UnionSet {
    /// The smallest elements.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i, j] : 0 <= i <= j and j >= 3; T[i] : i >= 7 }")?;
    /// assert_eq!(
    ///     union.lexmin(&Budget::unlimited())?.to_string(),
    ///     "{ S[i = 0, j = 3]; T[i = 7] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`](crate::Map::lexmin).
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.lexmin(budget)?))
    }

    /// The greatest elements.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("[n] -> { S[i, j] : 0 <= j <= i < n; T[i] : 2i <= n }")?;
    /// assert_eq!(
    ///     union.lexmax(&Budget::unlimited())?.to_string(),
    ///     "[n] -> { S[i = -1 + n, j = -1 + n] : n > 0; T[i] : -1 + n <= 2i <= n }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmax`](crate::Map::lexmax).
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.lexmax(budget)?))
    }
}
