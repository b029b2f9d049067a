//! Piecewise tuples of expressions over several domain and range spaces.
use crate::*;

/// Piecewise tuples over several domain and range spaces.
pub type UnionPwMultiAff = UnionPiecewise<MultiAff>;

impl UnionPwMultiAff {
    /// As a relation.
    pub fn to_union_map(&self) -> UnionMap {
        let maps = self.parts.iter().map(PwMultiAff::to_map);
        UnionMap::collect(Space::params(&[]), maps)
    }

    /// From a single-valued relation.
    ///
    /// # Errors
    /// As [`PwMultiAff::from_map`].
    pub fn from_union_map(map: &UnionMap, budget: &Budget) -> Result<Self> {
        let parts = map.maps().iter().map(|map| PwMultiAff::from_map(map, budget));
        Ok(UnionPwMultiAff::from_parts(parts.collect::<Result<_>>()?))
    }
}
