//! Polynomials below and above quasi-polynomials.
//!
//! `⌊e/d⌋` is `(e - r)/d` with a remainder `r` from 0 to `d - 1`. With remainders as variables a
//! quasi-polynomial is a polynomial; each of its terms is extreme where the remainders are, according to the
//! sign of what it is multiplied with on the piece (Meister and Verdoolaege, "Polynomial approximations in
//! the polytope model", ODES-6, 2008).
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::{During, Error, Result};
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};
use crate::polynomials::qpolynomial::QPolynomial;
use crate::polynomials::sparse::{Monomial, Polynomial};
use crate::solve::optimum::Optimum;
use loopwright_exact::{Int, Rational};

const LOWER: &str = "lower_polynomial";
const UPPER: &str = "upper_polynomial";
const NEAR: &str = "approximate_polynomial";

/// Where a polynomial is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Below,
    Above,
    /// Where remainders are zero, as isl has it.
    Near,
}

impl Side {
    fn operation(self) -> &'static str {
        match self {
            Side::Below => LOWER,
            Side::Above => UPPER,
            Side::Near => NEAR,
        }
    }
}

impl PwQPolynomial {
    /// A function without floors that is at most this one, on the same pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwQPolynomial};
    /// let half = PwQPolynomial::parse("[n] -> { n*floor(n/2) : n >= 0 }")?;
    /// let lower = half.lower_polynomial(&Budget::unlimited())?;
    /// assert_eq!(lower.to_string(), "[n] -> { (1/2*n^2 - 1/2*n) : n >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the sign of what a floor is multiplied with is not the same on the whole piece,
    /// [`Error::Exceeded`].
    pub fn lower_polynomial(&self, budget: &Budget) -> Result<Self> {
        self.without_floors(Side::Below, budget).during(LOWER)
    }

    /// A function without floors that is at least this one, on the same pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwQPolynomial};
    /// let half = PwQPolynomial::parse("[n] -> { floor(n/2) : n >= 0 }")?;
    /// let upper = half.upper_polynomial(&Budget::unlimited())?;
    /// assert_eq!(upper.to_string(), "[n] -> { (1/2*n) : n >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwQPolynomial::lower_polynomial`].
    pub fn upper_polynomial(&self, budget: &Budget) -> Result<Self> {
        self.without_floors(Side::Above, budget).during(UPPER)
    }

    /// A function without floors near this one, on the same pieces: every floor is what it rounds, as in isl.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwQPolynomial};
    /// let half = PwQPolynomial::parse("[n] -> { [i] -> i*floor(n/2) }")?;
    /// let near = half.approximate_polynomial(&Budget::unlimited())?;
    /// assert_eq!(near.to_string(), "[n] -> { [i] -> (1/2*n*i) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn approximate_polynomial(&self, budget: &Budget) -> Result<Self> {
        self.without_floors(Side::Near, budget).during(NEAR)
    }

    fn without_floors(&self, side: Side, budget: &Budget) -> Result<Self> {
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for (domain, q) in &self.pieces {
            pieces.push((domain.clone(), extreme(q, domain, side, budget)?));
        }
        Ok(PwQPolynomial { space: self.space.clone(), pieces })
    }
}

impl UnionPwQPolynomial {
    /// See [`PwQPolynomial::lower_polynomial`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwQPolynomial};
    /// let half = UnionPwQPolynomial::parse("{ S[i] -> floor(i/2); T[] -> 1 }")?;
    /// let lower = half.lower_polynomial(&Budget::unlimited())?;
    /// assert_eq!(lower.to_string(), "{ S[i] -> (1/2*i - 1/2); T[] -> (1) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwQPolynomial::lower_polynomial`].
    pub fn lower_polynomial(&self, budget: &Budget) -> Result<Self> {
        let parts = self.parts().iter().map(|part| part.lower_polynomial(budget));
        Ok(UnionPwQPolynomial::from_parts(parts.collect::<Result<_>>()?))
    }

    /// See [`PwQPolynomial::upper_polynomial`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwQPolynomial};
    /// let half = UnionPwQPolynomial::parse("{ S[i] -> -floor(i/3) }")?;
    /// let upper = half.upper_polynomial(&Budget::unlimited())?;
    /// assert_eq!(upper.to_string(), "{ S[i] -> (-1/3*i + 2/3) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwQPolynomial::lower_polynomial`].
    pub fn upper_polynomial(&self, budget: &Budget) -> Result<Self> {
        let parts = self.parts().iter().map(|part| part.upper_polynomial(budget));
        Ok(UnionPwQPolynomial::from_parts(parts.collect::<Result<_>>()?))
    }

    /// See [`PwQPolynomial::approximate_polynomial`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwQPolynomial};
    /// let half = UnionPwQPolynomial::parse("{ S[i] -> i*floor(i/2) }")?;
    /// let near = half.approximate_polynomial(&Budget::unlimited())?;
    /// assert_eq!(near.to_string(), "{ S[i] -> (1/2*i^2) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn approximate_polynomial(&self, budget: &Budget) -> Result<Self> {
        let parts = self.parts().iter().map(|part| part.approximate_polynomial(budget));
        Ok(UnionPwQPolynomial::from_parts(parts.collect::<Result<_>>()?))
    }
}

/// The polynomial below, above or near one on a domain.
fn extreme(q: &QPolynomial, domain: &Set, side: Side, budget: &Budget) -> Result<QPolynomial> {
    let operation = side.operation();
    if q.locals.is_empty() || q.special.is_some() {
        return Ok(q.clone());
    }
    let first = 1 + q.space.n_all();
    // Columns from `first` on are remainders now.
    let mut polynomial = q.polynomial.clone();
    let mut most = vec![Int::ZERO; q.locals.len()];
    for (index, local) in q.locals.iter().enumerate().rev() {
        let Local::Floor { numerator, denominator } = local else {
            return Err(Error::Invalid { operation, reason: "an unknown integer".to_owned() });
        };
        let column = first + index;
        let mut value = Polynomial::from_row(numerator, denominator);
        let remainder = Polynomial::variable(column);
        value = value.plus(&remainder.scaled(&Rational::new(Int::MINUS_ONE, denominator.clone())));
        // The floor is replaced in two steps, since its column stands for the remainder afterwards.
        let coefficients = polynomial.coefficients_in(column);
        budget.spend((polynomial.n_terms() * 4) as u64, operation)?;
        polynomial = Polynomial::horner(&coefficients, &value);
        most[index] = denominator - &Int::ONE;
    }
    let mut sum = Polynomial::zero();
    for (monomial, coefficient) in polynomial.terms() {
        let (known, remainders): (Monomial, Monomial) =
            monomial.iter().copied().partition(|&(column, _)| column < first);
        if remainders.is_empty() {
            sum.add_term(known, coefficient);
            continue;
        }
        if side == Side::Near {
            continue;
        }
        let Some(sign) = sign_on(&known, domain, budget)? else {
            let reason = "the sign of what a floor is multiplied with is not known".to_owned();
            return Err(Error::Invalid { operation, reason });
        };
        if (sign * coefficient.signum() > 0) == (side == Side::Above) {
            let greatest = remainders.iter().fold(Int::ONE, |all, &(column, exponent)| {
                &all * &most[column - first].pow(exponent)
            });
            sum.add_term(known, &(coefficient * &Rational::from(greatest)));
        }
    }
    Ok(QPolynomial::from_columns(&q.space, Vec::new(), sum))
}

/// 1 or -1 if a product of powers of parameters and dimensions is nowhere negative, or nowhere positive.
fn sign_on(monomial: &Monomial, domain: &Set, budget: &Budget) -> Result<Option<i32>> {
    let mut sign = 1;
    let n_params = domain.space().n(DimKind::Param);
    for &(column, exponent) in monomial.iter().filter(|(_, exponent)| exponent % 2 == 1) {
        debug_assert!(exponent > 0);
        let (kind, position) = match column - 1 {
            at if at < n_params => (DimKind::Param, at),
            at => (DimKind::Out, at - n_params),
        };
        let least = domain.dim_min_val(kind, position, budget)?;
        let greatest = domain.dim_max_val(kind, position, budget)?;
        match (least, greatest) {
            (Optimum::Empty, _) | (_, Optimum::Empty) => return Ok(Some(1)),
            (Optimum::At(least), _) if !least.is_negative() => {}
            (_, Optimum::At(greatest)) if !greatest.is_positive() => sign = -sign,
            _ => return Ok(None),
        }
    }
    Ok(Some(sign))
}
