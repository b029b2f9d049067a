//! Normalizing inequalities: integer tightening, parallel and implied ones.
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Local;
use crate::core::normal_form::step::Step;
use crate::core::row_order::sort_rows;
use crate::core::space::DimKind;
use loopwright_exact::{Int, Row};
use std::cmp::Ordering;

impl BasicRelation {
    /// Tightens all inequalities and merges parallel ones.
    ///
    /// * `g e + c >= 0` becomes `e + ⌊c/g⌋ >= 0`.
    /// * Of inequalities with the same coefficients the tightest stays.
    /// * `e + c >= 0` and `-e + b >= 0` contradict each other if `b + c < 0`, and are an equality
    ///   if `b + c = 0`; then the result is [`Step::Changed`].
    ///
    /// The result is sorted, constraints on earlier dimensions first.
    pub(crate) fn normalize_inequalities(&mut self) -> Step {
        let mut rows = std::mem::take(&mut self.inequalities);
        let has_locals = !self.locals.is_empty();
        let mut contradiction = false;
        rows.retain_mut(|row| {
            let informative = tighten(row);
            contradiction |= !informative && row.sign(0) < 0;
            informative && !(has_locals && self.follows_from_floor(row))
        });
        if contradiction {
            return Step::Contradiction;
        }
        let n_equalities = self.equalities.len();
        if !sort_rows(&mut rows, compare_inequalities) {
            self.inequalities = rows;
            return Step::Stable;
        }
        rows.dedup_by(|next, kept| {
            if compare_coefficients(kept, next).is_ne() {
                return false;
            }
            if !is_opposite(kept, next) {
                return true;
            }
            let room = kept.get(0) + next.get(0);
            contradiction |= room.is_negative();
            if room.is_zero() {
                self.equalities.push(kept.clone());
            }
            !room.is_positive()
        });
        self.inequalities = rows;
        match self.equalities.len() > n_equalities {
            _ if contradiction => Step::Contradiction,
            true => Step::Changed,
            false => Step::Stable,
        }
    }

    /// Whether the inequality follows from the definition `0 <= n - d l <= d - 1` of the last
    /// local that it uses.
    fn follows_from_floor(&self, row: &Row) -> bool {
        let first = self.offset(DimKind::Local);
        let Some(column) = row.last_nonzero(first..row.len()) else { return false };
        let Local::Floor { numerator, denominator } = &self.locals[column - first] else {
            return false;
        };
        let factor = row.get(column);
        if factor.abs() != *denominator {
            return false;
        }
        let sign = Int::from(-factor.signum());
        let parallel = (1..column).all(|c| row.get(c) == &numerator.get(c) * &sign);
        let slack = row.get(0) - numerator.get(0) * &sign;
        match factor.is_negative() {
            true => parallel && !slack.is_negative(),
            false => parallel && slack >= denominator - &Int::ONE,
        }
    }
}

/// Divides by the divisor of the coefficients and rounds the constant down; false if there are no
/// coefficients.
pub(crate) fn tighten(row: &mut Row) -> bool {
    let divisor = row.gcd(1..row.len());
    if divisor.is_zero() {
        return false;
    }
    if !divisor.is_one() {
        let constant = row.get(0).div_floor(&divisor);
        row.set(0, &constant * &divisor);
        row.div_exact(&divisor);
    }
    true
}

/// Whether two rows with the same coefficients up to sign have them with different signs.
fn is_opposite(a: &Row, b: &Row) -> bool {
    let last = a.last_nonzero(1..a.len()).expect("a tightened row has a coefficient");
    a.sign(last) != b.sign(last)
}

/// Orders inequalities by their coefficients up to sign. Of parallel ones the lower bounds of the
/// last column come first, and of those with the same sign the tightest.
fn compare_inequalities(a: &Row, b: &Row) -> Ordering {
    compare_coefficients(a, b).then_with(|| {
        let last = a.last_nonzero(1..a.len()).expect("a tightened row has a coefficient");
        b.sign(last).cmp(&a.sign(last)).then_with(|| a.get(0).cmp(&b.get(0)))
    })
}

/// Orders rows by their coefficients up to sign, from the last column to the first; the constants
/// do not count.
pub(crate) fn compare_coefficients(a: &Row, b: &Row) -> Ordering {
    if let (Some(words_a), Some(words_b)) = (a.as_i64s(), b.as_i64s()) {
        return compare_words(&words_a[1..], &words_b[1..]);
    }
    let (last_a, last_b) = (a.last_nonzero(1..a.len()), b.last_nonzero(1..b.len()));
    let (Some(last), true) = (last_a, last_a == last_b) else {
        return last_a.cmp(&last_b);
    };
    let same_sign = a.sign(last) == b.sign(last);
    let positive = a.sign(last) > 0;
    let order = (1..=last)
        .rev()
        .map(|column| {
            let other = b.get(column);
            a.get(column).cmp(&if same_sign { other } else { -other })
        })
        .find(|&order| order != Ordering::Equal);
    let order = order.unwrap_or(Ordering::Equal);
    if positive { order } else { order.reverse() }
}

/// Orders words up to sign, from the last to the first.
fn compare_words(a: &[i64], b: &[i64]) -> Ordering {
    let mut pairs = a.iter().zip(b).rev().map(|(&a, &b)| (a, b));
    let Some((last_a, last_b)) = pairs.find(|&(a, b)| a | b != 0) else { return Ordering::Equal };
    if last_a == 0 || last_b == 0 {
        return (last_a != 0).cmp(&(last_b != 0));
    }
    // Rows of words never hold the one word that has no negative.
    let (sign_a, sign_b) = (last_a.signum(), last_b.signum());
    (last_a * sign_a).cmp(&(last_b * sign_b)).then_with(|| {
        pairs
            .map(|(a, b)| (a * sign_a).cmp(&(b * sign_b)))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    })
}
