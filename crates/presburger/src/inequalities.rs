//! Normalizing inequalities: integer tightening, parallel and implied ones.
use crate::basic_map::BasicData;
use crate::simplify::Step;
use crate::*;
use std::cmp::Ordering;

impl BasicData {
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
        let mut contradiction = false;
        rows.retain_mut(|row| {
            let informative = tighten(row);
            contradiction |= !informative && row.sign(0) < 0;
            informative && !self.follows_from_floor(row)
        });
        if contradiction {
            return Step::Contradiction;
        }
        rows.sort_unstable_by(compare_coefficients);
        self.inequalities = Vec::with_capacity(rows.len());
        let n_equalities = self.equalities.len();
        let mut rows = rows.into_iter().peekable();
        while let Some(row) = rows.next() {
            let (mut lower, mut upper) = (None, None);
            keep_tightest(&mut lower, &mut upper, row);
            while let Some(next) = rows.next_if(|next| {
                let kept = lower.as_ref().or(upper.as_ref());
                kept.is_some_and(|kept| compare_coefficients(kept, next).is_eq())
            }) {
                keep_tightest(&mut lower, &mut upper, next);
            }
            if let (Some(lower), Some(upper)) = (&lower, &upper) {
                let room = lower.get(0) + upper.get(0);
                if room.is_negative() {
                    return Step::Contradiction;
                }
                if room.is_zero() {
                    self.equalities.push(lower.clone());
                    continue;
                }
            }
            self.inequalities.extend(lower);
            self.inequalities.extend(upper);
        }
        if self.equalities.len() > n_equalities { Step::Changed } else { Step::Stable }
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

/// Keeps the tighter of parallel inequalities, for each direction.
fn keep_tightest(lower: &mut Option<Row>, upper: &mut Option<Row>, row: Row) {
    let last = row.last_nonzero(1..row.len()).expect("a tightened row has a coefficient");
    let kept = if row.sign(last) > 0 { lower } else { upper };
    match kept {
        Some(known) if known.get(0) <= row.get(0) => {}
        _ => *kept = Some(row),
    }
}

/// Orders rows by their coefficients up to sign, from the last column to the first; the constants
/// do not count.
pub(crate) fn compare_coefficients(a: &Row, b: &Row) -> Ordering {
    let (last_a, last_b) = (a.last_nonzero(1..a.len()), b.last_nonzero(1..b.len()));
    let (Some(last), true) = (last_a, last_a == last_b) else {
        return last_a.cmp(&last_b);
    };
    let same_sign = a.sign(last) == b.sign(last);
    let positive = a.sign(last) > 0;
    if let (Some(words_a), Some(words_b)) = (a.as_i64s(), b.as_i64s()) {
        let words_a = words_a[1..=last].iter().rev();
        let words_b = words_b[1..=last].iter().rev();
        let order = match same_sign {
            true => words_a.cmp(words_b),
            // Rows of words never hold the one word that has no negative.
            false => words_a.copied().cmp(words_b.map(|&word| -word)),
        };
        return if positive { order } else { order.reverse() };
    }
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
