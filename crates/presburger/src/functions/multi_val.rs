//! Tuples of values.
use crate::core::error::Result;
use crate::core::space::{DimKind, Space};
use crate::functions::multi::{Member, Multi};
use loopwright_exact::Value;

/// A tuple of values: fractions, infinities, or not numbers. Its space is a set space.
///
/// ```
/// # use loopwright_presburger::{MultiVal, Value};
/// let sizes = MultiVal::parse("{ A[32, 64] }")?;
/// assert_eq!(sizes.members()[1], Value::from(64));
/// assert_eq!(sizes.space().to_string(), "{ A[i0, i1] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
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
    ///
    /// ```
    /// # use loopwright_presburger::{MultiVal, Space, Tuple};
    /// let space = Space::set(&[], Tuple::named("A", 2));
    /// assert_eq!(MultiVal::zero(&space).to_string(), "{ A[0, 0] }");
    /// ```
    pub fn zero(space: &Space) -> Self {
        let space = space.range();
        MultiVal { members: vec![Value::from(0); space.n(DimKind::Out)], space }
    }

    /// The sum in every position.
    ///
    /// ```
    /// # use loopwright_presburger::MultiVal;
    /// let (a, b) = (MultiVal::parse("{ A[1, 2] }")?, MultiVal::parse("{ A[1/2, infty] }")?);
    /// assert_eq!(a.add(&b)?.to_string(), "{ A[3/2, infty] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the spaces differ.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the sum of tuples", |a, b| Ok(a + b))
    }

    /// The difference in every position.
    ///
    /// ```
    /// # use loopwright_presburger::MultiVal;
    /// let (a, b) = (MultiVal::parse("{ A[1, infty] }")?, MultiVal::parse("{ A[3, infty] }")?);
    /// assert_eq!(a.sub(&b)?.to_string(), "{ A[-2, NaN] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the spaces differ.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the difference of tuples", |a, b| Ok(a - b))
    }

    /// The smaller one in every position.
    ///
    /// ```
    /// # use loopwright_presburger::MultiVal;
    /// let (a, b) = (MultiVal::parse("{ A[1, infty] }")?, MultiVal::parse("{ A[3, 2] }")?);
    /// assert_eq!(a.min(&b)?.to_string(), "{ A[1, 2] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the spaces differ.
    pub fn min(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the minimum of tuples", |a, b| Ok(a.min(b)))
    }

    /// The greater one in every position.
    ///
    /// ```
    /// # use loopwright_presburger::MultiVal;
    /// let (a, b) = (MultiVal::parse("{ A[1, infty] }")?, MultiVal::parse("{ A[3, 2] }")?);
    /// assert_eq!(a.max(&b)?.to_string(), "{ A[3, infty] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the spaces differ.
    pub fn max(&self, other: &Self) -> Result<Self> {
        self.zipped(other, "the maximum of tuples", |a, b| Ok(a.max(b)))
    }

    /// The negative.
    ///
    /// ```
    /// # use loopwright_presburger::MultiVal;
    /// assert_eq!(MultiVal::parse("{ A[1, infty] }")?.neg().to_string(), "{ A[-1, -infty] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn neg(&self) -> Self {
        self.mapped(|value| -value)
    }

    /// The product of every position with one value.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiVal, Value};
    /// let a = MultiVal::parse("{ A[1, -2] }")?;
    /// assert_eq!(a.scale(&Value::from(3)).to_string(), "{ A[3, -6] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn scale(&self, factor: &Value) -> Self {
        self.mapped(|value| value * factor)
    }

    /// The product in every position.
    ///
    /// ```
    /// # use loopwright_presburger::MultiVal;
    /// let (a, b) = (MultiVal::parse("{ A[2, 3] }")?, MultiVal::parse("{ A[4, 1/3] }")?);
    /// assert_eq!(a.scale_multi_val(&b)?.to_string(), "{ A[8, 1] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the spaces differ.
    pub fn scale_multi_val(&self, factors: &Self) -> Result<Self> {
        self.zipped(factors, "the product of tuples", |a, b| Ok(a * b))
    }

    /// The remainders of a division that rounds down.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiVal, Value};
    /// let a = MultiVal::parse("{ A[7, -7] }")?;
    /// assert_eq!(a.modulo(&Value::from(4)).to_string(), "{ A[3, 1] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn modulo(&self, divisor: &Value) -> Self {
        self.mapped(|value| value.modulo(divisor))
    }

    /// Whether both have the same values in the same tuple.
    ///
    /// ```
    /// # use loopwright_presburger::MultiVal;
    /// let (a, b) = (MultiVal::parse("{ A[1] }")?, MultiVal::parse("{ A[2/2] }")?);
    /// assert!(a.is_equal(&b));
    /// assert!(!a.is_equal(&MultiVal::parse("{ B[1] }")?));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn is_equal(&self, other: &Self) -> bool {
        self.space.has_equal_tuples(&other.space) && self.members == other.members
    }
}
