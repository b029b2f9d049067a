//! Piecewise tuples of expressions over several domain and range spaces.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::space::Space;
use crate::core::union_map::UnionMap;
use crate::functions::piecewise::PwMultiAff;
use crate::functions::union_piecewise::UnionPwMultiAff;

impl UnionPwMultiAff {
    /// As a relation.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwMultiAff;
    /// let accesses = UnionPwMultiAff::parse("{ S[i] -> A[(i + 1)] : i > 0; T[] -> B[(0)] }")?;
    /// assert_eq!(
    ///     accesses.to_union_map().to_string(),
    ///     "{ S[i] -> A[1 + i] : i > 0; T[] -> B[0] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn to_union_map(&self) -> UnionMap {
        let maps = self.parts.iter().map(PwMultiAff::to_map);
        UnionMap::collect(Space::params(&[]), maps)
    }

    /// From a single-valued relation.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionPwMultiAff};
    /// let graph = UnionMap::parse("{ S[i] -> A[x] : 2x <= i <= 2x + 1; T[] -> B[0] }")?;
    /// let function = UnionPwMultiAff::from_union_map(&graph, &Budget::unlimited())?;
    /// assert_eq!(function.to_string(), "{ S[i] -> A[(floor((i)/2))]; T[] -> B[(0)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PwMultiAff::from_map`].
    pub fn from_union_map(map: &UnionMap, budget: &Budget) -> Result<Self> {
        let parts = map.maps().iter().map(|map| PwMultiAff::from_map(map, budget));
        Ok(UnionPwMultiAff::from_parts(parts.collect::<Result<_>>()?))
    }

    /// The sum where both are defined; parts in different spaces do not meet.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwMultiAff;
    /// let a = UnionPwMultiAff::parse("{ S[i] -> A[(i)]; T[] -> B[(1)] }")?;
    /// let b = UnionPwMultiAff::parse("{ S[i] -> A[(2)]; T[] -> A[(2)] }")?;
    /// assert_eq!(a.add(&b)?.to_string(), "{ S[i] -> A[(2 + i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.with_partners(other, PwMultiAff::add)
    }

    /// The sum where both are defined, and the one that is defined elsewhere.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwMultiAff};
    /// let a = UnionPwMultiAff::parse("{ S[i] -> A[(i)] }")?;
    /// let b = UnionPwMultiAff::parse("{ S[i] -> A[(2)]; T[] -> A[(2)] }")?;
    /// assert_eq!(
    ///     a.union_add(&b, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[(2 + i)]; T[] -> A[(2)] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn union_add(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |a, b| a.union_add(b, budget)).during("union_add")
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
    /// ```
    /// # use loopwright_presburger::UnionPwMultiAff;
    /// let a = UnionPwMultiAff::parse("{ S[i] -> A[(i)]; T[] -> A[(0)] }")?;
    /// let b = UnionPwMultiAff::parse("{ S[i] -> B[(2i)] }")?;
    /// assert_eq!(a.range_product(&b)?.to_string(), "{ S[i] -> [A[(i)] -> B[(2i)]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn range_product(&self, other: &Self) -> Result<Self> {
        self.with_same_domain(other, PwMultiAff::range_product)
    }

    /// `x -> [f(x), g(x)]` where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwMultiAff;
    /// let a = UnionPwMultiAff::parse("{ S[i] -> [(0)]; T[i] -> [(1)] }")?;
    /// let b = UnionPwMultiAff::parse("{ S[i] -> [(i)]; T[i] -> [(2i)] }")?;
    /// let both = a.flat_range_product(&b)?;
    /// assert_eq!(both.to_string(), "{ S[i] -> [(0), (i)]; T[i] -> [(1), (2i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn flat_range_product(&self, other: &Self) -> Result<Self> {
        let mut product = UnionPwMultiAff::empty();
        for part in self.with_same_domain(other, PwMultiAff::flat_range_product)?.parts {
            product = product.union_disjoint(&UnionPwMultiAff { parts: vec![part] })?;
        }
        Ok(product)
    }
}
