//! Sums of powers as polynomials (Faulhaber).
//!
//! `S_k(m) = 1^k + ... + m^k`, and 0 at `m = 0`, satisfies `S_k(m) - S_k(m - 1) = m^k` for all integers, so
//! that the sum of `x^k` from `l` to `u` is `S_k(u) - S_k(l - 1)` whenever `u >= l - 1`. Summing
//! `(x + 1)^(k+1) - x^(k+1)` gives `S_k` from those before it.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::polynomials::sparse::Polynomial;
use loopwright_exact::{Int, Rational};

/// The coefficients of `S_0, ..., S_k`, from that of the constant on.
fn power_sums(k: usize) -> Vec<Vec<Rational>> {
    let binomial = binomials(k + 1);
    let mut sums: Vec<Vec<Rational>> = Vec::with_capacity(k + 1);
    for power in 0..=k {
        let row = &binomial[power + 1];
        // (m + 1)^(power + 1) - 1, without what the smaller powers contribute.
        let mut sum: Vec<Rational> = row.iter().cloned().map(Rational::from).collect();
        sum[0] = Rational::zero();
        for (smaller, known) in sums.iter().enumerate() {
            let factor = Rational::from(row[smaller].clone());
            for (degree, coefficient) in known.iter().enumerate() {
                sum[degree] = &sum[degree] - &(&factor * coefficient);
            }
        }
        let divisor = Rational::from(row[power].clone());
        sums.push(sum.iter().map(|coefficient| coefficient / &divisor).collect());
    }
    sums
}

fn binomials(n: usize) -> Vec<Vec<Int>> {
    let mut rows = vec![vec![Int::ONE]];
    for row in 1..=n {
        let above = &rows[row - 1];
        let inner = above.windows(2).map(|pair| &pair[0] + &pair[1]);
        rows.push(std::iter::once(Int::ONE).chain(inner).chain([Int::ONE]).collect());
    }
    rows
}

/// About how many machine words a term takes.
const WORDS_OF_TERM: usize = 8;

/// The sum of `c_0 + c_1 x + ...` over the integers from `lower` to `upper`, if `upper >= lower - 1`.
///
/// # Errors
/// The budget is exceeded.
pub(super) fn sum_between(
    coefficients: &[Polynomial],
    lower: &Polynomial,
    upper: &Polynomial,
    budget: &Budget,
) -> Result<Polynomial> {
    let sums = power_sums(coefficients.len().saturating_sub(1));
    let mut antidifference = vec![Polynomial::zero(); coefficients.len() + 1];
    for (coefficient, sum) in coefficients.iter().zip(&sums) {
        for (degree, factor) in sum.iter().enumerate().filter(|(_, factor)| !factor.is_zero()) {
            antidifference[degree] = antidifference[degree].plus(&coefficient.scaled(factor));
        }
    }
    let before = lower.plus(&Polynomial::constant(Rational::from(-1)));
    let start = value_at(&antidifference, &before, budget)?.scaled(&Rational::from(-1));
    Ok(value_at(&antidifference, upper, budget)?.plus(&start))
}

/// The value of `c_0 + c_1 x + ...`.
fn value_at(coefficients: &[Polynomial], x: &Polynomial, budget: &Budget) -> Result<Polynomial> {
    let mut value = Polynomial::zero();
    for coefficient in coefficients.iter().rev() {
        let n_terms = value.n_terms() * x.n_terms() + coefficient.n_terms();
        budget.spend(n_terms as u64, "the sum of powers")?;
        budget.keep(WORDS_OF_TERM * n_terms, "the sum of powers")?;
        value = value.times(x).plus(coefficient);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_powers_are_those_of_the_numbers() {
        for (power, sum) in power_sums(9).iter().enumerate() {
            let mut total = Int::ZERO;
            for m in 0..8i64 {
                if m > 0 {
                    total += &Int::from(m).pow(power as u32);
                }
                let value = sum.iter().rev().fold(Rational::zero(), |value, coefficient| {
                    &(&value * &Rational::from(m)) + coefficient
                });
                assert_eq!(value, Rational::from(total.clone()), "power {power} up to {m}");
            }
        }
    }
}
