//! Pairwise disjoint pieces.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;

impl Map {
    /// The same points in pairwise disjoint pieces: from each piece, the earlier ones are
    /// subtracted.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j] : j >= i; [i] -> [j] : j >= 0 }")?;
    /// let disjoint = map.make_disjoint(&Budget::unlimited())?;
    /// assert_eq!(disjoint.to_string(), "{ [i] -> [j] : j >= i or 0 <= j < i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> {
        if self.basics.len() <= 1 {
            return Ok(self.clone());
        }
        let explicit = self.make_locals_explicit(budget).during("make_disjoint")?;
        let mut result: Option<Map> = None;
        for piece in &explicit.basics {
            let piece = Map::from_basic_map(piece.clone());
            result = Some(match result {
                None => piece,
                Some(earlier) => {
                    earlier.union(&piece.subtract(&earlier, budget).during("make_disjoint")?)?
                }
            });
        }
        Ok(result.unwrap_or(explicit))
    }
}

impl Set {
    /// The same points in pairwise disjoint pieces, see [`Map::make_disjoint`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("{ [i] : 0 <= i <= 6 or 4 <= i <= 9 }")?;
    /// let disjoint = set.make_disjoint(&Budget::unlimited())?;
    /// assert_eq!(disjoint.to_string(), "{ [i] : 0 <= i <= 6 or 7 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::make_disjoint`].
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> {
        self.0.make_disjoint(budget).map(Set)
    }
}
