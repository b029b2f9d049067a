//! Values of generating functions at one, by the coefficients of Todd's polynomials.
//!
//! With `exp(t c)` in the place of a monomial, a cone with the vertex at height `y` and edges at heights
//! `c_i` has the function `exp(t y) / ((1 - exp(t c_1)) ... (1 - exp(t c_d)))`. Since `-t c/(1 - exp(t c))`
//! is the series of Bernoulli's numbers, the constant term is a polynomial in `y` (De Loera, Hemmecke, Tauzer
//! and Yoshida, "Effective lattice point counting in rational convex polytopes", 2004).
use loopwright_exact::{Int, Rational};

/// `B_n/n!` up to a degree.
pub(super) fn bernoulli_series(degree: usize) -> Vec<Rational> {
    // The inverse of the series (exp(t) - 1)/t, whose coefficients are 1/(n + 1)!.
    let mut factorials = vec![Int::ONE];
    for n in 1..=degree + 1 {
        let next = &factorials[n - 1] * &Int::from(n as i64);
        factorials.push(next);
    }
    let mut series: Vec<Rational> = vec![Rational::one()];
    for n in 1..=degree {
        let term = |k: usize| &series[k] / &Rational::from(factorials[n - k + 1].clone());
        let sum = (0..n).fold(Rational::zero(), |sum, k| sum + term(k));
        series.push(Rational::zero() - sum);
    }
    series
}

/// The coefficients, from that of the constant on, of the polynomial in `y` of a degree that is a coefficient
/// of the function of a cone with `d` edges at the given heights, which are not zero: that of
/// `t^(degree - d)`. `series` is Bernoulli's, up to the degree.
pub(super) fn height_polynomial(
    heights: &[Int],
    degree: usize,
    series: &[Rational],
) -> Vec<Rational> {
    let mut product = vec![Rational::zero(); degree + 1];
    product[0] = Rational::one();
    for height in heights {
        let mut power = Int::ONE;
        let factor: Vec<Rational> = series[..=degree]
            .iter()
            .map(|coefficient| {
                let scaled = coefficient * &Rational::from(power.clone());
                power = &power * height;
                scaled
            })
            .collect();
        for n in (0..=degree).rev() {
            product[n] = (0..=n)
                .filter(|&k| !product[k].is_zero() && !factor[n - k].is_zero())
                .fold(Rational::zero(), |sum, k| sum + &product[k] * &factor[n - k]);
        }
    }
    let all = heights.iter().fold(Int::ONE, |all, height| &all * &-height);
    let mut scale = Rational::new(Int::ONE, all);
    let mut coefficients = Vec::with_capacity(degree + 1);
    for k in 0..=degree {
        coefficients.push(&product[degree - k] * &scale);
        scale = &scale / &Rational::from(k as i64 + 1);
    }
    coefficients
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A segment from `a` to `b` has two cones: 1/(1 - e^t) at `a` and 1/(1 - e^-t) at `b`.
    #[test]
    fn points_and_powers_of_a_segment() {
        let series = bernoulli_series(6);
        let value = |edge: i64, y: i64, shift: usize| {
            let coefficients = height_polynomial(&[Int::from(edge)], 1 + shift, &series);
            coefficients.iter().rev().fold(Rational::zero(), |value, coefficient| {
                &(&value * &Rational::from(y)) + coefficient
            })
        };
        for (a, b) in [(0, 0), (-2, 5), (3, 4)] {
            let mut factorial = 1;
            for shift in 0..4 {
                factorial *= (shift as i64).max(1);
                let expected: i64 = (a..=b).map(|x: i64| x.pow(shift as u32)).sum();
                let sum = value(1, a, shift) + value(-1, b, shift);
                assert_eq!(sum * Rational::from(factorial), Rational::from(expected));
            }
        }
    }
}
