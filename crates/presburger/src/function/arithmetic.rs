//! Arithmetic of piecewise quasi-affine expressions: defined where both operands are.
use crate::*;

/// An operation on the values of two expressions over one domain.
type Combination = fn(&Aff, &Aff) -> Result<Aff>;

impl PwAff {
    fn arithmetic(&self, other: &Self, name: &'static str, combine: Combination) -> Result<Self> {
        self.combined(other, self.space.clone(), name, combine)
    }

    /// The sum where both are defined.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.arithmetic(other, "the sum of piecewise expressions", Aff::add)
    }

    /// The difference where both are defined.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.arithmetic(other, "the difference of piecewise expressions", Aff::sub)
    }

    /// The product if, on each piece, one factor is constant.
    ///
    /// # Errors
    /// [`Error::Invalid`] if on some piece neither factor is constant.
    pub fn mul(&self, other: &Self) -> Result<Self> {
        self.arithmetic(other, "the product of piecewise expressions", Aff::mul)
    }

    /// The quotient, not rounded, if the divisor is constant on each piece; not a number where it
    /// is zero.
    ///
    /// # Errors
    /// [`Error::Invalid`] if on some piece the divisor is not constant.
    pub fn div(&self, other: &Self) -> Result<Self> {
        self.arithmetic(other, "the quotient of piecewise expressions", Aff::div)
    }

    /// The negative.
    pub fn neg(&self) -> Self {
        self.mapped(Aff::neg)
    }

    /// The product with an integer.
    pub fn scale(&self, factor: &Int) -> Self {
        self.mapped(|aff| aff.scale(factor))
    }

    /// The quotient, not rounded.
    pub fn scale_down(&self, divisor: &Int) -> Self {
        self.mapped(|aff| aff.scale_down(divisor))
    }

    /// The product with a number; not a number for an infinity.
    pub fn scale_val(&self, factor: &Value) -> Self {
        self.mapped(|aff| match factor.as_rational() {
            Some(factor) => aff.scale(&factor.numerator).scale_down(&factor.denominator),
            None => Aff::nan(&aff.space),
        })
    }

    /// The sum with an integer.
    pub fn add_constant(&self, value: &Int) -> Self {
        self.mapped(|aff| aff.add_constant(value))
    }

    /// Rounded down.
    pub fn floor(&self) -> Self {
        self.mapped(Aff::floor)
    }

    /// Rounded up.
    pub fn ceil(&self) -> Self {
        self.mapped(Aff::ceil)
    }

    /// Remainder in `0..divisor`.
    pub fn modulo(&self, divisor: &Int) -> Self {
        self.mapped(|aff| aff.modulo(divisor))
    }

    /// C's truncating quotient by a positive or negative constant.
    ///
    /// # Errors
    /// [`Error::Invalid`] for the divisor 0, [`Error::Exceeded`].
    pub fn tdiv_q(&self, divisor: &Int, budget: &Budget) -> Result<Self> {
        if divisor.is_zero() {
            return Err(Error::Invalid {
                operation: "the truncated quotient",
                reason: "division by zero".to_owned(),
            });
        }
        let quotient = self.scale_down(divisor);
        PwAff::select(&quotient.nonneg_set(), &quotient.floor(), &quotient.ceil(), budget)
            .during("tdiv_q")
    }

    /// C's remainder: `self - divisor * tdiv_q(self, divisor)`.
    ///
    /// # Errors
    /// As [`PwAff::tdiv_q`].
    pub fn tdiv_r(&self, divisor: &Int, budget: &Budget) -> Result<Self> {
        self.sub(&self.tdiv_q(divisor, budget)?.scale(divisor)).during("tdiv_r")
    }

    /// `then` where `condition` holds, `otherwise` elsewhere (condition: a set of the domain).
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces, [`Error::Exceeded`].
    pub fn select(condition: &Set, then: &Self, otherwise: &Self, budget: &Budget) -> Result<Self> {
        let chosen = then.intersect_domain(condition)?;
        chosen.union_disjoint(&otherwise.subtract_domain(condition, budget).during("select")?)
    }

    /// `then` where this expression is not zero, `otherwise` where it is zero; defined nowhere else.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Int, PwAff, Rational};
    /// let odd = PwAff::parse("{ [i] -> [(i mod 2)] : i >= 0 }")?;
    /// let (up, down) = (PwAff::parse("{ [i] -> [(i + 1)] }")?, PwAff::parse("{ [i] -> [(-i)] }")?);
    /// let chosen = odd.cond(&up, &down)?;
    /// let value = |i: i64| chosen.eval(&[Int::from(i)], &Budget::unlimited());
    /// assert_eq!(value(3)?, Some(Rational::from(4)));
    /// assert_eq!(value(4)?, Some(Rational::from(-4)));
    /// assert_eq!(value(-1)?, None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces, [`Error::Exceeded`].
    pub fn cond(&self, then: &Self, otherwise: &Self) -> Result<Self> {
        let holds = then.intersect_domain(&self.non_zero_set())?;
        holds.union_disjoint(&otherwise.intersect_domain(&self.zero_set())?)
    }

    /// The sum where both are defined, and the one that is defined elsewhere.
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces, [`Error::Exceeded`].
    pub fn union_add(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.union_with(other, &self.add(other)?, budget).during("union_add")
    }
}

impl Aff {
    /// The quotient, not rounded, by a constant expression; not a number if it is zero.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the divisor is not constant, [`Error::SpaceMismatch`] if the domains
    /// differ.
    pub fn div(&self, other: &Self) -> Result<Self> {
        let zero = Aff::zero(&other.space);
        let sum = self.add(&zero)?;
        match other.constant_value() {
            Some(divisor) => Ok(sum.scale(&divisor.denominator).scale_down(&divisor.numerator)),
            None if other.nan => Ok(Aff::nan(&sum.space)),
            None => Err(Error::Invalid {
                operation: "the quotient of expressions",
                reason: "the divisor is not constant".to_owned(),
            }),
        }
    }
}
