//! Piecewise expressions over several domain spaces.
use crate::*;

/// Piecewise expressions over several domain spaces, at most one part per space.
#[derive(Clone, Debug)]
pub struct UnionPwAff {
    pub(crate) parts: Vec<PwAff>,
}

impl UnionPwAff {
    /// Nowhere defined.
    pub fn empty() -> Self {
        UnionPwAff { parts: Vec::new() }
    }

    /// From one part per domain space.
    pub fn from_parts(parts: Vec<PwAff>) -> Self {
        UnionPwAff { parts: parts.into_iter().filter(|part| !part.pieces.is_empty()).collect() }
    }

    /// The parts, one per domain space.
    pub fn parts(&self) -> &[PwAff] {
        &self.parts
    }

    /// The part of a domain space (compared by tuples, not by parameters).
    pub fn part(&self, domain: &Space) -> Option<&PwAff> {
        self.parts.iter().find(|part| part.space.has_equal_tuples(domain))
    }

    /// Where it is defined.
    pub fn domain(&self) -> UnionSet {
        let maps = self.parts.iter().map(|part| part.domain().0);
        UnionSet(UnionMap::collect(Space::params(&[]), maps))
    }

    fn mapped(&self, map: impl Fn(&PwAff) -> PwAff) -> Self {
        UnionPwAff::from_parts(self.parts.iter().map(map).collect())
    }

    fn try_mapped(&self, map: impl Fn(&PwAff) -> Result<PwAff>) -> Result<Self> {
        Ok(UnionPwAff::from_parts(self.parts.iter().map(map).collect::<Result<_>>()?))
    }

    /// The sum where both are defined.
    ///
    /// # Errors
    /// None of its own: parts over different spaces do not meet.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let both = self.parts.iter().filter_map(|part| Some((part, other.part(&part.space)?)));
        let sums = both.map(|(a, b)| a.add(b)).collect::<Result<_>>()?;
        Ok(UnionPwAff::from_parts(sums))
    }

    /// The product with an integer.
    pub fn scale(&self, factor: &Int) -> Self {
        self.mapped(|part| part.scale(factor))
    }

    /// The quotient, not rounded.
    pub fn scale_down(&self, divisor: &Int) -> Self {
        self.mapped(|part| part.scale_down(divisor))
    }

    /// Rounded down.
    pub fn floor(&self) -> Self {
        self.mapped(PwAff::floor)
    }

    /// Remainder in `0..divisor`.
    pub fn modulo(&self, divisor: &Int) -> Self {
        self.mapped(|part| part.modulo(divisor))
    }

    /// The negative.
    pub fn neg(&self) -> Self {
        self.mapped(PwAff::neg)
    }

    /// Restricted.
    ///
    /// # Errors
    /// None of its own: sets in other spaces do not meet.
    pub fn intersect_domain(&self, set: &UnionSet) -> Result<Self> {
        self.try_mapped(|part| part.intersect_domain(&set.extract(&part.space)))
    }

    /// Both, for disjoint domains.
    ///
    /// # Errors
    /// None of its own.
    pub fn union_add(&self, other: &Self) -> Result<Self> {
        let mut parts = self.parts.clone();
        for part in &other.parts {
            match parts.iter_mut().find(|p| p.space.has_equal_tuples(&part.space)) {
                Some(known) => *known = known.union_add(part)?,
                None => parts.push(part.clone()),
            }
        }
        Ok(UnionPwAff::from_parts(parts))
    }

    /// Composition: this function of the value of `inner`.
    ///
    /// # Errors
    /// None of its own: parts of `inner` whose range is not in the domain are dropped.
    pub fn pullback(&self, inner: &UnionPwMultiAff) -> Result<Self> {
        let mut result = UnionPwAff::empty();
        for map in &inner.parts {
            if let Some(part) = self.part(&map.space.range()) {
                let composed = part.pullback_pw_multi_aff(map)?;
                result = result.union_add(&UnionPwAff::from_parts(vec![composed]))?;
            }
        }
        Ok(result)
    }

    /// Simplified inside a context; parts that do not meet the context are dropped.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn gist(&self, context: &UnionSet, budget: &Budget) -> Result<Self> {
        self.try_mapped(|part| part.gist(&context.extract(&part.space), budget))
    }

    /// Fewer pieces.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        self.try_mapped(|part| part.coalesce(budget))
    }
}
