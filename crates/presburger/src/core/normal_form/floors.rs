//! Canonical floors.
//!
//! Two descriptions of the same floor should be the same row, so that systems can share it. With
//! `n` an affine expression over integers:
//!
//! * `⌊(g n + c) / (g d)⌋ = ⌊(n + ⌊c/g⌋) / d⌋`,
//! * `⌊(n + d q) / d⌋ = ⌊n/d⌋ + q` for an affine `q`, which leaves coefficients in `(-d/2, d/2]`
//!   and the constant in `[0, d)`,
//! * `⌊n/d⌋ = -⌊(d - 1 - n) / d⌋`, which makes the first coefficient positive that is neither 0
//!   nor d/2,
//! * `⌊(⌊n/e⌋ + m) / d⌋ = ⌊(n + e m) / (d e)⌋`.
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Local;
use crate::core::normal_form::step::Step;
use crate::core::space::DimKind;
use loopwright_exact::{Int, Row};

impl BasicRelation {
    /// Makes every floor canonical and merges equal ones. Locals that become superfluous stay
    /// behind without use.
    ///
    /// If a floor disappears while there are equalities, these have to be solved again.
    pub(crate) fn normalize_floors(&mut self) -> Step {
        let n_floors = self.n_floors();
        for index in 0..self.locals.len() {
            self.normalize_floor(index);
        }
        let fewer = self.n_floors() < n_floors;
        if fewer && !self.equalities.is_empty() { Step::Changed } else { Step::Stable }
    }

    fn n_floors(&self) -> usize {
        self.locals.iter().filter(|local| !local.is_unknown()).count()
    }

    fn normalize_floor(&mut self, index: usize) {
        let Local::Floor { numerator, denominator } = &self.locals[index] else { return };
        if is_canonical(numerator, denominator) && !self.has_nested_unit(index) {
            return self.merge_floor(index);
        }
        let column = self.offset(DimKind::Local) + index;
        let (mut numerator, mut denominator) = (numerator.clone(), denominator.clone());
        while let Some((inner, inner_denominator)) = self.nested_unit(&numerator) {
            let factor = numerator_factor(&mut numerator, inner, self.offset(DimKind::Local));
            debug_assert!(factor.is_one());
            numerator.scale(&inner_denominator);
            let Local::Floor { numerator: nested, .. } = &self.locals[inner] else { break };
            numerator.add_scaled(&Int::ONE, nested);
            denominator = &denominator * &inner_denominator;
        }
        cancel(&mut numerator, &mut denominator);
        let negated = first_asymmetric_sign(&numerator, &denominator) < 0;
        if negated {
            numerator.negate();
            numerator.add_at(0, &(&denominator - &Int::ONE));
        }
        let mut quotient = split_quotient(&mut numerator, &denominator);
        let is_integer = numerator.is_zero();
        if negated {
            quotient.negate();
        }
        self.locals[index] = match is_integer {
            true => Local::Unknown,
            false => Local::Floor { numerator, denominator },
        };
        let factor = if is_integer {
            0
        } else if negated {
            -1
        } else {
            1
        };
        self.replace_local(column, &Int::from(factor), &quotient);
        if !is_integer {
            self.merge_floor(index);
        }
    }

    /// Replaces a local's column by `factor` times the column plus `rest`, in every row.
    fn replace_local(&mut self, column: usize, factor: &Int, rest: &Row) {
        if factor.is_one() && rest.is_zero() {
            return;
        }
        for row in self.rows_mut() {
            let coefficient = row.get(column);
            if !coefficient.is_zero() {
                row.set(column, &coefficient * factor);
                row.add_scaled(&coefficient, rest);
            }
        }
    }

    /// Uses an earlier equal floor instead of this one.
    fn merge_floor(&mut self, index: usize) {
        let Some(earlier) = (0..index).find(|&i| self.locals[i] == self.locals[index]) else {
            return;
        };
        let first = self.offset(DimKind::Local);
        let mut rest = Row::zeros(self.n_columns());
        rest.set(first + earlier, Int::ONE);
        self.replace_local(first + index, &Int::ZERO, &rest);
        self.locals[index] = Local::Unknown;
    }

    /// A floor that the numerator uses with coefficient 1, and its denominator.
    fn nested_unit(&self, numerator: &Row) -> Option<(usize, Int)> {
        let first = self.offset(DimKind::Local);
        (0..self.locals.len()).rev().find_map(|inner| match &self.locals[inner] {
            Local::Floor { denominator, .. } if numerator.get(first + inner).is_one() => {
                Some((inner, denominator.clone()))
            }
            _ => None,
        })
    }

    fn has_nested_unit(&self, index: usize) -> bool {
        match &self.locals[index] {
            Local::Floor { numerator, .. } => self.nested_unit(numerator).is_some(),
            Local::Unknown => false,
        }
    }

    /// Writes out the definition `0 <= n - d l <= d - 1` of a floor (nothing for an unknown).
    pub(crate) fn expand_floor(&mut self, index: usize) {
        let column = self.offset(DimKind::Local) + index;
        let Local::Floor { numerator, denominator } = &self.locals[index] else { return };
        let mut lower = numerator.clone();
        lower.set(column, -denominator);
        let mut upper = lower.clone();
        upper.negate();
        upper.add_at(0, &(denominator - &Int::ONE));
        self.inequalities.push(lower);
        self.inequalities.push(upper);
        self.locals[index] = Local::Unknown;
    }

    /// The locals that are unknown or use an unknown, directly or not.
    pub(crate) fn depends_on_unknown(&self) -> Vec<bool> {
        let first = self.offset(DimKind::Local);
        let mut depends: Vec<bool> = Vec::with_capacity(self.locals.len());
        for local in &self.locals {
            depends.push(match local {
                Local::Unknown => true,
                Local::Floor { numerator, .. } => {
                    (0..depends.len()).any(|i| depends[i] && !numerator.is_zero_at(first + i))
                }
            });
        }
        depends
    }

    /// Turns the floors that use unknowns into unknowns with explicit bounds.
    pub(crate) fn expand_floors_of_unknowns(&mut self) {
        if self.locals.iter().all(Local::is_unknown) {
            return;
        }
        for (index, depends) in self.depends_on_unknown().into_iter().enumerate() {
            if depends {
                self.expand_floor(index);
            }
        }
    }

    /// Turns the floors of unknowns that occur in equalities into unknowns with explicit bounds.
    ///
    /// Solving such an equality for the unknown would make the floor depend on itself, and solving it
    /// for the floor would leave an equality between unknowns.
    pub(crate) fn expand_floors_in_equalities(&mut self) {
        let first = self.offset(DimKind::Local);
        for (index, depends) in self.depends_on_unknown().into_iter().enumerate() {
            if depends && self.equalities.iter().any(|row| !row.is_zero_at(first + index)) {
                self.expand_floor(index);
            }
        }
    }

    /// An order of the locals in which floors follow what they use; none if they do already.
    pub(crate) fn sorted_order(&self) -> Option<Vec<usize>> {
        let first = self.offset(DimKind::Local);
        let n = self.locals.len();
        let uses = |index: usize, other: usize| match &self.locals[index] {
            Local::Floor { numerator, .. } => !numerator.is_zero_at(first + other),
            Local::Unknown => false,
        };
        if (0..n).all(|index| !(index..n).any(|other| uses(index, other))) {
            return None;
        }
        let mut order: Vec<usize> = Vec::with_capacity(n);
        let mut placed = vec![false; n];
        while order.len() < n {
            let ready = (0..n)
                .find(|&i| !placed[i] && (0..n).all(|other| placed[other] || !uses(i, other)));
            let next = ready.expect("no floor depends on itself");
            placed[next] = true;
            order.push(next);
        }
        Some(order)
    }
}

/// Takes the coefficient of a local out of a numerator.
fn numerator_factor(numerator: &mut Row, index: usize, first: usize) -> Int {
    let factor = numerator.get(first + index);
    numerator.set(first + index, Int::ZERO);
    factor
}

/// Cancels the common divisor of coefficients and denominator.
fn cancel(numerator: &mut Row, denominator: &mut Int) {
    let divisor = numerator.gcd(1..numerator.len()).gcd(denominator);
    if divisor.is_one() {
        return;
    }
    let constant = numerator.get(0).div_floor(&divisor);
    numerator.set(0, &constant * &divisor);
    numerator.div_exact(&divisor);
    *denominator = denominator.div_exact(&divisor);
}

/// The sign of the first coefficient that is neither 0 nor d/2 modulo d, when taken from
/// `(-d/2, d/2]`; 0 if there is none.
pub(crate) fn first_asymmetric_sign(numerator: &Row, denominator: &Int) -> i32 {
    for column in 1..numerator.len() {
        if numerator.is_zero_at(column) {
            continue;
        }
        let remainder = symmetric_remainder(&numerator.get(column), denominator);
        if !remainder.is_zero() && &(&remainder + &remainder) != denominator {
            return remainder.signum();
        }
    }
    0
}

/// The remainder in `(-d/2, d/2]`.
fn symmetric_remainder(value: &Int, denominator: &Int) -> Int {
    let remainder = value.rem_euclid(denominator);
    if &remainder + &remainder > *denominator { remainder - denominator } else { remainder }
}

/// Whether nothing has to be done: no common divisor, coefficients and constant in range.
pub(crate) fn is_canonical(numerator: &Row, denominator: &Int) -> bool {
    if let (Some(words), Some(divisor)) = (numerator.as_i64s(), denominator.to_i64()) {
        let half = divisor / 2;
        let in_range = (0..divisor).contains(&words[0])
            && words[1..]
                .iter()
                .all(|&word| word <= half && (word > -half || (word == -half && divisor % 2 != 0)));
        let divisor_is_one = || numerator.gcd(1..numerator.len()).gcd(denominator).is_one();
        return in_range
            && divisor_is_one()
            && divisor > 1
            && first_asymmetric_sign(numerator, denominator) >= 0;
    }
    false
}

/// Brings the numerator's elements into range; returns what was taken out, divided by `d`.
fn split_quotient(numerator: &mut Row, denominator: &Int) -> Row {
    let mut quotient = Row::zeros(numerator.len());
    for column in 0..numerator.len() {
        let value = numerator.get(column);
        if value.is_zero() {
            continue;
        }
        let remainder = match column {
            0 => value.rem_euclid(denominator),
            _ => symmetric_remainder(&value, denominator),
        };
        if remainder != value {
            quotient.set(column, (&value - &remainder).div_exact(denominator));
            numerator.set(column, remainder);
        }
    }
    // A constant below the denominator has the floor 0.
    if numerator.first_nonzero(1..numerator.len()).is_none() {
        numerator.set(0, Int::ZERO);
    }
    quotient
}
