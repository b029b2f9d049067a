//! Piecewise quasi-polynomials.
//!
//! As in isl, a piecewise quasi-polynomial counts as zero where it is not defined: a sum is defined
//! where one of its operands is, a product where both are. What does not depend on the kind of
//! expression (restriction, composition, simplification, merging of pieces) is that of every
//! [`Piecewise`] function.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::set::Set;
use crate::functions::aff::Aff;
use crate::functions::expression::Expression;
use crate::functions::piecewise::{Piecewise, PwAff};
use crate::functions::union_piecewise::UnionPiecewise;
use crate::polynomials::qpolynomial::QPolynomial;
use loopwright_exact::{Int, Rational, Value};

/// A quasi-polynomial per piece of a domain; zero outside.
///
/// ```
/// # use loopwright_presburger::{Budget, Int, PwQPolynomial, Value};
/// let budget = &Budget::unlimited();
/// let area = PwQPolynomial::parse("[n] -> { [i] -> 1/2*n*i : 0 <= i <= n }")?;
/// assert_eq!(area.eval(&[Int::from(5), Int::from(3)], budget)?.to_string(), "15/2");
/// // 0 outside.
/// assert_eq!(area.eval(&[Int::from(5), Int::from(6)], budget)?, Value::from(0));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub type PwQPolynomial = Piecewise<QPolynomial>;

/// Piecewise quasi-polynomials over several domain spaces.
///
/// ```
/// # use loopwright_presburger::UnionPwQPolynomial;
/// let cost = UnionPwQPolynomial::parse("{ S[i] -> i^2 : i > 0; T[] -> 3 }")?;
/// assert_eq!(cost.domain().to_string(), "{ S[i] : i > 0; T[] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub type UnionPwQPolynomial = UnionPiecewise<QPolynomial>;

impl From<&PwAff> for PwQPolynomial {
    fn from(function: &PwAff) -> Self {
        let piece = |(domain, aff): &(Set, Aff)| (domain.clone(), QPolynomial::from_aff(aff));
        PwQPolynomial {
            space: function.space.clone(),
            pieces: function.pieces.iter().map(piece).collect(),
        }
    }
}

impl PwQPolynomial {
    /// The sum; what is defined on one side only is kept.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Int, PwQPolynomial, Value};
    /// let budget = Budget::unlimited();
    /// let square = PwQPolynomial::parse("[n] -> { [i] -> i^2 : i < n }")?;
    /// let half = PwQPolynomial::parse("{ [i] -> 1/2*i : i > 0 }")?;
    /// let sum = square.add(&half, &budget)?;
    /// let value = |n: i64, i: i64| sum.eval(&[Int::from(n), Int::from(i)], &budget);
    /// assert_eq!(value(9, 3)?.to_string(), "21/2");
    /// assert_eq!(value(9, -3)?, Value::from(9));
    /// assert_eq!(value(2, 3)?.to_string(), "3/2");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains are in different spaces,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn add(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let space = self.space.clone();
        let both = self.combined(other, space, "the sum of polynomials", QPolynomial::add)?;
        self.union_with(other, &both, budget).during("add")
    }

    /// The difference; what is defined on one side only is kept.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwQPolynomial, Value};
    /// let budget = &Budget::unlimited();
    /// let a = PwQPolynomial::parse("{ [i] -> i^2 : i >= 0 }")?;
    /// let b = PwQPolynomial::parse("{ [i] -> 3*i }")?;
    /// let difference = a.sub(&b, budget)?;
    /// assert_eq!(difference.eval(&[Int::from(5)], budget)?, Value::from(10));
    /// assert_eq!(difference.eval(&[Int::from(-5)], budget)?, Value::from(15));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains are in different spaces,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn sub(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.add(&other.neg(), budget).during("sub")
    }

    /// The product where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::PwQPolynomial;
    /// let a = PwQPolynomial::parse("{ [i] -> i + 1 : i >= 0 }")?;
    /// let b = PwQPolynomial::parse("{ [i] -> i - 1 : i <= 9 }")?;
    /// assert_eq!(a.mul(&b)?.to_string(), "{ [i] -> (i^2 - 1) : 0 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains are in different spaces.
    pub fn mul(&self, other: &Self) -> Result<Self> {
        let space = self.space.clone();
        self.combined(other, space, "the product of polynomials", QPolynomial::mul)
    }

    /// The negative.
    ///
    /// ```
    /// # use loopwright_presburger::PwQPolynomial;
    /// let a = PwQPolynomial::parse("{ [i] -> i^2 - 3 : i >= 0 }")?;
    /// assert_eq!(a.neg().to_string(), "{ [i] -> (-i^2 + 3) : i >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn neg(&self) -> Self {
        self.mapped(QPolynomial::neg)
    }

    /// The product with a number.
    ///
    /// ```
    /// # use loopwright_presburger::{Int, PwQPolynomial, Rational};
    /// let a = PwQPolynomial::parse("{ [i] -> i^2 : i >= 0 }")?;
    /// let half = Rational::new(Int::from(1), Int::from(2));
    /// assert_eq!(a.scale(&half).to_string(), "{ [i] -> (1/2*i^2) : i >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn scale(&self, factor: &Rational) -> Self {
        self.mapped(|polynomial| polynomial.scale(factor))
    }

    /// A power of every piece.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwQPolynomial};
    /// let a = PwQPolynomial::parse("{ [i] -> i + 1 : i >= 0 }")?;
    /// assert_eq!(
    ///     a.pow(2, &Budget::unlimited())?.to_string(),
    ///     "{ [i] -> (i^2 + 2*i + 1) : i >= 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn pow(&self, exponent: u32, budget: &Budget) -> Result<Self> {
        let piece =
            |(d, q): &(Set, QPolynomial)| Ok((d.clone(), q.pow(exponent, budget).during("pow")?));
        let pieces = self.pieces.iter().map(piece).collect::<Result<_>>()?;
        Ok(PwQPolynomial { space: self.space.clone(), pieces })
    }

    /// The value at a point (parameters then dimensions); zero where it is not defined.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, PwQPolynomial, Value};
    /// let budget = &Budget::unlimited();
    /// let a = PwQPolynomial::parse("[n] -> { [i] -> 1/2*n*i : i >= 0 }")?;
    /// assert_eq!(a.eval(&[Int::from(3), Int::from(5)], budget)?.to_string(), "15/2");
    /// assert_eq!(a.eval(&[Int::from(3), Int::from(-5)], budget)?, Value::from(0));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if the point has another length,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn eval(&self, point: &[Int], budget: &Budget) -> Result<Value> {
        for (domain, polynomial) in &self.pieces {
            if domain.contains_point(point, budget).during("eval")? {
                return Ok(polynomial.eval(point));
            }
        }
        Ok(Value::from(0))
    }

    /// Whether the difference is zero in its form on all of its non-empty pieces. Forms with floors
    /// may differ although the functions agree.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwQPolynomial};
    /// let budget = &Budget::unlimited();
    /// let a = PwQPolynomial::parse("{ [i] -> i^2 + i : i >= 0 }")?;
    /// let b =
    ///     PwQPolynomial::parse("{ [i] -> i*(i + 1) : i >= 5; [i] -> i^2 + i : 0 <= i <= 4 }")?;
    /// assert!(a.is_obviously_equal(&b, budget)?);
    /// assert!(!a.is_obviously_equal(&b.neg(), budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domains are in different spaces,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_obviously_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        let difference = self.sub(other, budget).during("is_obviously_equal")?;
        for (domain, polynomial) in &difference.pieces {
            let simple = polynomial.gist(domain, budget).during("is_obviously_equal")?;
            if !simple.plain_is_zero() && !domain.is_empty(budget).during("is_obviously_equal")? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl UnionPwQPolynomial {
    /// The sum; what is defined on one side only is kept.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwQPolynomial};
    /// let a = UnionPwQPolynomial::parse("{ S[i] -> i^2; T[] -> 3 }")?;
    /// let b = UnionPwQPolynomial::parse("{ S[i] -> i; U[] -> 1 }")?;
    /// assert_eq!(
    ///     a.add(&b, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> (i^2 + i); T[] -> (3); U[] -> (1) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn add(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |a, b| a.add(b, budget)).during("add")
    }

    /// The difference; what is defined on one side only is kept.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwQPolynomial};
    /// let a = UnionPwQPolynomial::parse("{ S[i] -> i^2; T[] -> 3 }")?;
    /// let b = UnionPwQPolynomial::parse("{ S[i] -> i; U[] -> 1 }")?;
    /// assert_eq!(
    ///     a.sub(&b, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> (i^2 - i); T[] -> (3); U[] -> (-1) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn sub(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.add(&other.mapped(PwQPolynomial::neg), budget).during("sub")
    }

    /// The product where both are defined.
    ///
    /// ```
    /// # use loopwright_presburger::UnionPwQPolynomial;
    /// let a = UnionPwQPolynomial::parse("{ S[i] -> i^2; T[] -> 3 }")?;
    /// let b = UnionPwQPolynomial::parse("{ S[i] -> i + 1 : i > 0 }")?;
    /// assert_eq!(a.mul(&b)?.to_string(), "{ S[i] -> (i^3 + i^2) : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn mul(&self, other: &Self) -> Result<Self> {
        self.with_partners(other, PwQPolynomial::mul)
    }

    /// The product with a number.
    ///
    /// ```
    /// # use loopwright_presburger::{Rational, UnionPwQPolynomial};
    /// let a = UnionPwQPolynomial::parse("{ S[i] -> i^2; T[] -> 3 }")?;
    /// assert_eq!(a.scale(&Rational::from(2)).to_string(), "{ S[i] -> (2*i^2); T[] -> (6) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn scale(&self, factor: &Rational) -> Self {
        self.mapped(|part| part.scale(factor))
    }
}
