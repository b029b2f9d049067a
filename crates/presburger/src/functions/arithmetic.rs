//! Arithmetic of piecewise quasi-affine expressions: defined where both operands are.
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::set::Set;
use crate::functions::aff::Aff;
use crate::functions::piecewise::PwAff;
use loopwright_exact::{Int, Value};

/// An operation on the values of two expressions over one domain.
type Combination = fn(&Aff, &Aff) -> Result<Aff>;

impl PwAff {
    fn arithmetic(&self, other: &Self, name: &'static str, combine: Combination) -> Result<Self> {
        self.combined(other, self.space.clone(), name, combine)
    }

    /// The sum where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i] -> [(i)] : i >= 0 }")?;
    /// let b = PwAff::parse("{ [i] -> [(5)] : i <= 9 }")?;
    /// assert_eq!(a.add(&b)?.to_string(), "{ [i] -> [(5 + i)] : 0 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.arithmetic(other, "the sum of piecewise expressions", Aff::add)
    }

    /// The difference where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let a = PwAff::parse("{ [i] -> [(i)] : i >= 0 }")?;
    /// let b = PwAff::parse("{ [i] -> [(5)] : i <= 9 }")?;
    /// assert_eq!(a.sub(&b)?.to_string(), "{ [i] -> [(-5 + i)] : 0 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the domains are in different spaces.
    pub fn sub(&self, other: &Self) -> Result<Self> {
        self.arithmetic(other, "the difference of piecewise expressions", Aff::sub)
    }

    /// The product if, on each piece, one factor is constant.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let sign = PwAff::parse("{ [i] -> [(1)] : i >= 0; [i] -> [(-1)] : i < 0 }")?;
    /// let value = PwAff::parse("{ [i] -> [(i)] }")?;
    /// assert_eq!(
    ///     sign.mul(&value)?.to_string(),
    ///     "{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }"
    /// );
    /// assert!(value.mul(&value).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if on some piece neither factor is constant.
    pub fn mul(&self, other: &Self) -> Result<Self> {
        self.arithmetic(other, "the product of piecewise expressions", Aff::mul)
    }

    /// The quotient, not rounded, if the divisor is constant on each piece; not a number where it
    /// is zero.
    ///
    /// ```
    /// # use loopwright_presburger::PwAff;
    /// let value = PwAff::parse("{ [i] -> [(i)] }")?;
    /// let divisor = PwAff::parse("{ [i] -> [(4)] : i > 0 }")?;
    /// assert_eq!(value.div(&divisor)?.to_string(), "{ [i] -> [(i)/4] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if on some piece the divisor is not constant.
    pub fn div(&self, other: &Self) -> Result<Self> {
        self.arithmetic(other, "the quotient of piecewise expressions", Aff::div)
    }

    /// The product with a number; not a number for an infinity.
    ///
    /// ```
    /// # use loopwright_presburger::{PwAff, Value};
    /// let a = PwAff::parse("{ [i] -> [(i - 3)] : i >= 0 }")?;
    /// assert_eq!(
    ///     a.scale_val(&"2/3".parse::<Value>().unwrap()).to_string(),
    ///     "{ [i] -> [(-6 + 2i)/3] : i >= 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn scale_val(&self, factor: &Value) -> Self {
        self.mapped(|aff| match factor.as_rational() {
            Some(factor) => aff.scale(&factor.numerator).scale_down(&factor.denominator),
            None => Aff::nan(&aff.space),
        })
    }

    /// The sum with an integer.
    ///
    /// ```
    /// # use loopwright_presburger::{Int, PwAff};
    /// let a = PwAff::parse("{ [i] -> [(i)] : i >= 0 }")?;
    /// assert_eq!(a.add_constant(&Int::from(4)).to_string(), "{ [i] -> [(4 + i)] : i >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn add_constant(&self, value: &Int) -> Self {
        self.mapped(|aff| aff.add_constant(value))
    }

    /// C's truncating quotient by a positive or negative constant.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwAff, Rational};
    /// let budget = &Budget::unlimited();
    /// let a = PwAff::parse("{ [i] -> [(i)] }")?;
    /// let quotient = a.tdiv_q(&Int::from(4), budget)?;
    /// assert_eq!(quotient.eval(&[Int::from(-5)], budget)?, Some(Rational::from(-1)));
    /// assert_eq!(quotient.eval(&[Int::from(5)], budget)?, Some(Rational::from(1)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwAff, Rational};
    /// let budget = &Budget::unlimited();
    /// let a = PwAff::parse("{ [i] -> [(i)] }")?;
    /// let remainder = a.tdiv_r(&Int::from(4), budget)?;
    /// assert_eq!(remainder.eval(&[Int::from(-5)], budget)?, Some(Rational::from(-1)));
    /// assert_eq!(remainder.eval(&[Int::from(5)], budget)?, Some(Rational::from(1)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PwAff::tdiv_q`].
    pub fn tdiv_r(&self, divisor: &Int, budget: &Budget) -> Result<Self> {
        self.sub(&self.tdiv_q(divisor, budget)?.scale(divisor)).during("tdiv_r")
    }

    /// `then` where `condition` holds, `otherwise` elsewhere (condition: a set of the domain).
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwAff, Set};
    /// let condition = Set::parse("{ [i] : i >= 10 }")?;
    /// let (then, otherwise) =
    ///     (PwAff::parse("{ [i] -> [(1)] }")?, PwAff::parse("{ [i] -> [(i)] }")?);
    /// let chosen = PwAff::select(&condition, &then, &otherwise, &Budget::unlimited())?;
    /// assert_eq!(chosen.to_string(), "{ [i] -> [(1)] : i >= 10; [i] -> [(i)] : i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// let (up, down) =
    ///     (PwAff::parse("{ [i] -> [(i + 1)] }")?, PwAff::parse("{ [i] -> [(-i)] }")?);
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
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwAff, Rational};
    /// let budget = &Budget::unlimited();
    /// let a = PwAff::parse("{ [i] -> [(i)] : i >= 0 }")?;
    /// let b = PwAff::parse("{ [i] -> [(5)] : i <= 9 }")?;
    /// let sum = a.union_add(&b, budget)?;
    /// assert_eq!(sum.eval(&[Int::from(3)], budget)?, Some(Rational::from(8)));
    /// assert_eq!(sum.eval(&[Int::from(-3)], budget)?, Some(Rational::from(5)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
    /// ```
    /// # use loopwright_presburger::Aff;
    /// let a = Aff::parse("{ [i] -> [(2i + 6)] }")?;
    /// let four = Aff::parse("{ [i] -> [(4)] }")?;
    /// assert_eq!(a.div(&four)?.to_string(), "{ [i] -> [(3 + i)/2] }");
    /// assert!(four.div(&a).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
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
