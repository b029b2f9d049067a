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

    /// The sum where both are defined; parts in different spaces do not meet.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.with_partners(other, PwMultiAff::add)
    }

    /// The sum where both are defined, and the one that is defined elsewhere.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn union_add(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |a, b| a.union_add(b, budget)).during("union_add")
    }

    /// The product with an integer.
    pub fn scale(&self, factor: &Int) -> Self {
        self.mapped(|part| part.scale(factor))
    }

    /// The parts that `combine` makes of all pairs over one domain.
    fn with_same_domain(
        &self,
        other: &Self,
        combine: fn(&PwMultiAff, &PwMultiAff) -> Result<PwMultiAff>,
    ) -> Result<Self> {
        let mut parts = Vec::new();
        for a in &self.parts {
            for b in other.parts.iter().filter(|b| a.space.input() == b.space.input()) {
                parts.push(combine(a, b)?);
            }
        }
        Ok(UnionPwMultiAff::from_parts(parts))
    }

    /// `x -> [f(x) -> g(x)]` where both are defined.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn range_product(&self, other: &Self) -> Result<Self> {
        self.with_same_domain(other, PwMultiAff::range_product)
    }

    /// `x -> [f(x), g(x)]` where both are defined.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn flat_range_product(&self, other: &Self) -> Result<Self> {
        let mut product = UnionPwMultiAff::empty();
        for part in self.with_same_domain(other, PwMultiAff::flat_range_product)?.parts {
            product = product.union_disjoint(&UnionPwMultiAff { parts: vec![part] })?;
        }
        Ok(product)
    }
}
