//! Piecewise tuples of expressions over several domain and range spaces.
use crate::*;

/// Piecewise tuples over several domain and range spaces.
#[derive(Clone, Debug)]
pub struct UnionPwMultiAff {
    pub(crate) parts: Vec<PwMultiAff>,
}

impl UnionPwMultiAff {
    /// From parts, at most one per pair of spaces.
    pub fn from_parts(parts: Vec<PwMultiAff>) -> Self {
        UnionPwMultiAff { parts: parts.into_iter().filter(|p| !p.pieces.is_empty()).collect() }
    }

    /// The parts.
    pub fn parts(&self) -> &[PwMultiAff] {
        &self.parts
    }

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

    /// Where it is defined.
    pub fn domain(&self) -> UnionSet {
        let maps = self.parts.iter().map(|part| part.domain().0);
        UnionSet(UnionMap::collect(Space::params(&[]), maps))
    }
}
