//! Pairwise disjoint pieces.
use crate::*;

impl Map {
    /// The same points in pairwise disjoint pieces: from each piece, the earlier ones are
    /// subtracted.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> {
        if self.basics.len() <= 1 {
            return Ok(self.clone());
        }
        let explicit = self.compute_divs(budget).during("make_disjoint")?;
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
    /// # Errors
    /// As for [`Map::make_disjoint`].
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> {
        self.0.make_disjoint(budget).map(Set)
    }
}
