//! Bounds by range propagation: one variable after the other is replaced by the bound at which the
//! polynomial is extreme.
//!
//! # Method
//! Where the derivative with respect to the last variable has one sign, the polynomial is extreme at
//! the least upper or greatest lower bound of the variable; the cases differ in the constraint that
//! gives this bound. The sign is decided by emptiness tests if the derivative is affine (both signs
//! are followed in their parts), otherwise by the signs of the variables, and if these do not tell it
//! the bound is infinite. This also works for domains without bounds in some directions.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::functions::aff::Aff;
use crate::polynomials::fold::FoldKind;
use crate::polynomials::qpolynomial::QPolynomial;
use crate::polynomials::sparse::Polynomial;
use crate::polynomials::system::System;
use loopwright_exact::{Int, Row, Value};

/// A bound on a part of the outer space, and whether it is the value at some point.
pub(super) struct Part {
    pub(super) domain: Set,
    pub(super) value: QPolynomial,
    pub(super) is_tight: bool,
}

/// The propagation of one kind of bound.
pub(super) struct Propagation<'a> {
    pub(super) kind: FoldKind,
    pub(super) budget: &'a Budget,
    pub(super) parts: Vec<Part>,
}

/// Where a derivative has one sign.
struct Half {
    system: System,
    is_increasing: bool,
}

impl Propagation<'_> {
    /// Adds the bounds of a polynomial over the integer points of a system.
    pub(super) fn propagate(
        &mut self,
        system: &System,
        polynomial: &Polynomial,
        is_tight: bool,
    ) -> Result<()> {
        self.budget.spend(1 + system.inequalities.len() as u64, "the propagation of ranges")?;
        if system.is_empty_with(&[], self.budget)? {
            return Ok(());
        }
        if !variables(system).any(|column| polynomial.involves(column)) {
            let outer = &system.outer;
            let value = QPolynomial { polynomial: polynomial.clone(), ..QPolynomial::zero(outer) };
            self.parts.push(Part { domain: system.shadow(), value, is_tight });
            return Ok(());
        }
        if let Some(column) = variables(system).find(|&c| !polynomial.involves(c)) {
            let last = system.width() - 1;
            let swapped = polynomial.renamed(|c| if c == last { column } else { c });
            let (smaller, is_exact) = system.with_last_swapped(column).without_last();
            return self.propagate(&smaller, &swapped, is_tight && is_exact);
        }
        let halves = self.halves(system, &polynomial.derivative(system.width() - 1))?;
        match halves {
            Some(halves) => {
                halves.iter().try_for_each(|half| self.at_bounds(half, polynomial, is_tight))
            }
            None => {
                self.unbounded(system);
                Ok(())
            }
        }
    }

    /// Adds that nothing is known.
    fn unbounded(&mut self, system: &System) {
        let infinity = match self.kind {
            FoldKind::Minimum => Value::NegativeInfinity,
            FoldKind::Maximum => Value::Infinity,
        };
        let value = QPolynomial::constant(&system.outer, &infinity);
        self.parts.push(Part { domain: system.shadow(), value, is_tight: false });
    }

    /// Replaces the last variable by each of the bounds that can be the decisive one.
    fn at_bounds(&mut self, half: &Half, polynomial: &Polynomial, is_tight: bool) -> Result<()> {
        let system = &half.system;
        let last = system.width() - 1;
        let takes_upper = half.is_increasing == (self.kind == FoldKind::Maximum);
        let sign = if takes_upper { -1 } else { 1 };
        if let Some(row) = system.equalities.iter().find(|row| !row.is_zero_at(last)) {
            return self.at_bound(system, row, &[], polynomial, is_tight);
        }
        let bounds: Vec<&Row> =
            system.inequalities.iter().filter(|row| row.sign(last) == sign).collect();
        if bounds.is_empty() {
            self.unbounded(system);
        }
        for (index, row) in bounds.iter().enumerate() {
            self.at_bound(system, row, &bounds[..index], polynomial, is_tight)?;
        }
        Ok(())
    }

    /// Replaces the last variable by the bound `row = 0`, where `earlier` bounds are looser.
    fn at_bound(
        &mut self,
        system: &System,
        row: &Row,
        earlier: &[&Row],
        polynomial: &Polynomial,
        is_tight: bool,
    ) -> Result<()> {
        let last = system.width() - 1;
        let mut solved = system.with_last_solved(row);
        for other in earlier {
            let mut looser = (*other).clone();
            looser.eliminate(last, row);
            looser.add_at(0, &Int::MINUS_ONE);
            solved = solved.with(looser.slice(0..last));
        }
        if system.n_variables == 1 {
            let bound = rounded_bound(system, row);
            let value = polynomial_at(&system.outer, polynomial, last, &bound);
            // Between bounds that are no integers there need not be any.
            let domain = match row.get(last).abs().is_one() {
                true => solved.shadow(),
                false => solved.shadow().intersect_within(&system.shadow(), self.budget)?,
            };
            self.parts.push(Part { domain, value, is_tight });
            return Ok(());
        }
        let value = Polynomial::from_row(&row.slice(0..last), &-row.get(last));
        let is_exact = row.get(last).abs().is_one();
        self.propagate(&solved, &polynomial.substituted(last, &value), is_tight && is_exact)
    }

    /// The parts of a system in which a polynomial has one sign, if that can be told.
    fn halves(&self, system: &System, derivative: &Polynomial) -> Result<Option<Vec<Half>>> {
        let half = |system: System, is_increasing| Half { system, is_increasing };
        if let Some(positive) = derivative.to_row(system.width()) {
            if positive.first_nonzero(1..positive.len()).is_none() {
                return Ok(Some(vec![half(system.clone(), positive.sign(0) >= 0)]));
            }
            let mut negative = positive.clone();
            negative.negate();
            negative.add_at(0, &Int::MINUS_ONE);
            return Ok(Some(vec![
                half(system.with(positive), true),
                half(system.with(negative), false),
            ]));
        }
        let sign = self.sign(system, derivative)?;
        Ok(sign.map(|is_positive| vec![half(system.clone(), is_positive)]))
    }

    /// Whether a polynomial is not negative (or not positive) by the signs of its terms.
    fn sign(&self, system: &System, polynomial: &Polynomial) -> Result<Option<bool>> {
        let mut known: Option<bool> = None;
        for (monomial, coefficient) in polynomial.terms() {
            let mut is_positive = coefficient.signum() > 0;
            for &(column, _) in monomial.iter().filter(|(_, exponent)| exponent % 2 == 1) {
                match self.sign_of_column(system, column)? {
                    Some(is_not_negative) => is_positive = is_positive == is_not_negative,
                    None => return Ok(None),
                }
            }
            if known.is_some_and(|sign| sign != is_positive) {
                return Ok(None);
            }
            known = Some(is_positive);
        }
        Ok(known)
    }

    /// Whether a column is never negative (or never positive) in a system.
    fn sign_of_column(&self, system: &System, column: usize) -> Result<Option<bool>> {
        for sign in [1, -1] {
            let mut opposite = Row::zeros(system.width());
            opposite.set(0, Int::MINUS_ONE);
            opposite.set(column, Int::from(-sign));
            if system.is_empty_with(&[opposite], self.budget)? {
                return Ok(Some(sign > 0));
            }
        }
        Ok(None)
    }
}

/// The columns of the variables.
fn variables(system: &System) -> std::ops::Range<usize> {
    system.first_variable()..system.width()
}

/// The greatest (or least) integer that a bound on the only variable allows, as a function of the
/// outer columns: no integer between it and the bound is lost, and if there is a value at all it is
/// one.
fn rounded_bound(system: &System, row: &Row) -> Aff {
    let last = system.width() - 1;
    let numerator = Aff::from_row(&system.outer, Vec::new(), row.slice(0..last), Int::ONE);
    let bound = numerator.scale_down(&-row.get(last));
    if row.sign(last) > 0 { bound.ceil() } else { bound.floor() }
}

/// A polynomial in the outer columns and one variable, at a value of the variable.
fn polynomial_at(outer: &Space, polynomial: &Polynomial, variable: usize, at: &Aff) -> QPolynomial {
    let value = QPolynomial::from_aff(at);
    let mut sum = QPolynomial::zero(outer);
    for (monomial, coefficient) in polynomial.terms() {
        let mut rest = Polynomial::constant(coefficient.clone());
        let mut power = QPolynomial::constant(outer, &Value::from(1));
        for &(column, exponent) in monomial {
            match column == variable {
                true => power = (0..exponent).fold(power, |power, _| power.times(&value)),
                false => rest = rest.times(&Polynomial::power(column, exponent)),
            }
        }
        sum = sum.plus(&QPolynomial { polynomial: rest, ..QPolynomial::zero(outer) }.times(&power));
    }
    sum
}
