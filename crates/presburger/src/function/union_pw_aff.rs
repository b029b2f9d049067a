//! Piecewise expressions over several domain spaces.
use crate::*;

/// Piecewise expressions over several domain spaces, at most one part per space.
pub type UnionPwAff = UnionPiecewise<Aff>;

impl UnionPwAff {
    /// The sum where both are defined.
    ///
    /// # Errors
    /// None of its own: parts over different spaces do not meet.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.with_partners(other, PwAff::add)
    }

    /// The difference where both are defined.
    ///
    /// # Errors
    /// None of its own: parts over different spaces do not meet.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.with_partners(other, PwAff::sub)
    }

    /// The sum where both are defined, and the one that is defined elsewhere.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn union_add(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |a, b| a.union_add(b, budget)).during("union_add")
    }

    /// The smaller where both are defined, and the one that is defined elsewhere.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn union_min(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |a, b| a.union_min(b, budget)).during("union_min")
    }

    /// The greater where both are defined, and the one that is defined elsewhere.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn union_max(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |a, b| a.union_max(b, budget)).during("union_max")
    }

    /// Rounded up.
    pub fn ceil(&self) -> Self {
        self.mapped(PwAff::ceil)
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

    /// Where it is zero.
    pub fn zero_set(&self) -> UnionSet {
        let maps = self.parts.iter().map(|part| part.zero_set().0);
        UnionSet(UnionMap::collect(Space::params(&[]), maps))
    }
}
