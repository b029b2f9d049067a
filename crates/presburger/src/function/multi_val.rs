//! Tuples of values.
use super::multi::Member;
use crate::*;

/// A tuple of values: fractions, infinities, or not numbers. Its space is a set space.
pub type MultiVal = Multi<Value>;

impl Member for Value {
    fn params(&self) -> Space {
        Space::params(&[])
    }

    fn fits(&self, domain: &Space) -> bool {
        domain.output().is_none()
    }

    fn over_params(&self, _: &Space) -> Self {
        self.clone()
    }
}

impl MultiVal {
    /// 0 in every position of a set space.
    pub fn zero(space: &Space) -> Self {
        let space = space.range();
        MultiVal { members: vec![Value::from(0); space.n(DimKind::Out)], space }
    }

    /// The sum in every position.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the sum of tuples", |a, b| Ok(a + b))
    }

    /// The difference in every position.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the difference of tuples", |a, b| Ok(a - b))
    }

    /// The smaller one in every position.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn min(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the minimum of tuples", |a, b| Ok(a.min(b)))
    }

    /// The greater one in every position.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn max(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the maximum of tuples", |a, b| Ok(a.max(b)))
    }

    /// The negative.
    pub fn neg(&self) -> Self {
        self.mapped(|value| -value)
    }

    /// The product of every position with one value.
    pub fn scale(&self, factor: &Value) -> Self {
        self.mapped(|value| value * factor)
    }

    /// The product in every position.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the spaces differ.
    pub fn scale_multi_val(&self, factors: &Self) -> Result<Self> {
        self.zipped(factors, "the product of tuples", |a, b| Ok(a * b))
    }

    /// The remainders of a division that rounds down.
    pub fn modulo(&self, divisor: &Value) -> Self {
        self.mapped(|value| value.modulo(divisor))
    }

    /// Whether both have the same values in the same tuple.
    pub fn is_equal(&self, other: &Self) -> bool {
        self.space.has_equal_tuples(&other.space) && self.members == other.members
    }
}
