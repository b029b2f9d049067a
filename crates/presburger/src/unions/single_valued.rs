//! Whether unions of relations are functions.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::union_map::UnionMap;

impl UnionMap {
    /// Whether every element of the domain has one image.
    ///
    /// *Method.* Every relation is single-valued, and relations to different tuples have
    /// disjoint domains.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let budget = &Budget::unlimited();
    /// let function = UnionMap::parse("{ S[i] -> A[i] : i >= 0; S[i] -> B[i] : i < 0 }")?;
    /// assert!(function.is_single_valued(budget)?);
    /// // S[0] has two images.
    /// let relation = UnionMap::parse("{ S[i] -> A[i] : i >= 0; S[i] -> B[i] : i <= 0 }")?;
    /// assert!(!relation.is_single_valued(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_single_valued(&self, budget: &Budget) -> Result<bool> {
        for (position, map) in self.maps.iter().enumerate() {
            if !map.is_single_valued(budget)? {
                return Ok(false);
            }
            let same_domain =
                self.maps[..position].iter().filter(|m| m.space.input() == map.space.input());
            for earlier in same_domain {
                if !map.domain().is_disjoint(&earlier.domain(), budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether every element of the range has one origin.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let budget = &Budget::unlimited();
    /// let writes = UnionMap::parse("{ S[i] -> A[2i]; T[i] -> A[2i + 1] }")?;
    /// assert!(writes.is_injective(budget)?);
    /// assert!(!UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?.is_injective(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_injective(&self, budget: &Budget) -> Result<bool> {
        self.reverse().is_single_valued(budget)
    }

    /// Whether it is single-valued and injective.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let budget = &Budget::unlimited();
    /// assert!(UnionMap::parse("{ S[i] -> A[i]; T[] -> B[] }")?.is_bijective(budget)?);
    /// assert!(!UnionMap::parse("{ S[i] -> A[i]; S[i] -> B[i] }")?.is_bijective(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_bijective(&self, budget: &Budget) -> Result<bool> {
        Ok(self.is_single_valued(budget)? && self.is_injective(budget)?)
    }
}

/// Whether a fallible property holds for all maps.
pub(crate) fn all(maps: &[Map], mut holds: impl FnMut(&Map) -> Result<bool>) -> Result<bool> {
    for map in maps {
        if !holds(map)? {
            return Ok(false);
        }
    }
    Ok(true)
}
