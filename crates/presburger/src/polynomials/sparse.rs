//! Sparse polynomials with rational coefficients.
use loopwright_exact::{Int, Rational, Row};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// A product of powers: variables in increasing order with positive exponents.
pub(crate) type Monomial = Vec<(usize, u32)>;

/// A sum of monomials with coefficients other than zero; variables are numbered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Polynomial {
    terms: BTreeMap<Monomial, Rational>,
}

impl Polynomial {
    /// The polynomial without terms.
    pub(crate) fn zero() -> Self {
        Polynomial::default()
    }

    /// A constant.
    pub(crate) fn constant(value: Rational) -> Self {
        let mut constant = Polynomial::zero();
        constant.add_term(Vec::new(), &value);
        constant
    }

    /// A variable.
    pub(crate) fn variable(variable: usize) -> Self {
        Polynomial::power(variable, 1)
    }

    /// A power of a variable, with a positive exponent.
    pub(crate) fn power(variable: usize, exponent: u32) -> Self {
        Polynomial { terms: BTreeMap::from([(vec![(variable, exponent)], Rational::one())]) }
    }

    /// Adds `coefficient * monomial`.
    pub(crate) fn add_term(&mut self, monomial: Monomial, coefficient: &Rational) {
        match self.terms.entry(monomial) {
            Entry::Vacant(_) if coefficient.is_zero() => {}
            Entry::Vacant(place) => drop(place.insert(coefficient.clone())),
            Entry::Occupied(mut known) => {
                let sum = known.get() + coefficient;
                match sum.is_zero() {
                    true => drop(known.remove()),
                    false => drop(known.insert(sum)),
                }
            }
        }
    }

    /// Adds a polynomial.
    pub(crate) fn add(&mut self, other: &Self) {
        for (monomial, coefficient) in &other.terms {
            self.add_term(monomial.clone(), coefficient);
        }
    }

    /// The terms, in the order of their monomials.
    pub(crate) fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, &Rational)> {
        self.terms.iter()
    }

    /// The number of terms.
    pub(crate) fn n_terms(&self) -> usize {
        self.terms.len()
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value, if no variable occurs.
    pub(crate) fn as_constant(&self) -> Option<Rational> {
        match self.terms.len() {
            0 => Some(Rational::zero()),
            1 => self.terms.get(&Vec::new()).cloned(),
            _ => None,
        }
    }

    /// The greatest sum of the exponents of those variables of a monomial that `counts` accepts.
    pub(crate) fn degree(&self, counts: impl Fn(usize) -> bool) -> u32 {
        let degree = |monomial: &Monomial| -> u32 {
            let counted = monomial.iter().filter(|(variable, _)| counts(*variable));
            counted.map(|(_, exponent)| exponent).sum()
        };
        self.terms.keys().map(degree).max().unwrap_or(0)
    }

    /// Whether a variable occurs.
    pub(crate) fn involves(&self, variable: usize) -> bool {
        self.terms.keys().any(|monomial| monomial.iter().any(|(v, _)| *v == variable))
    }

    /// The sum.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.add(other);
        sum
    }

    /// The product with a number.
    pub(crate) fn scaled(&self, factor: &Rational) -> Self {
        if factor.is_zero() {
            return Polynomial::zero();
        }
        let terms = self.terms.iter().map(|(monomial, c)| (monomial.clone(), c * factor));
        Polynomial { terms: terms.collect() }
    }

    /// The product.
    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut product = Polynomial::zero();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                product.add_term(monomial_product(a, b), &(x * y));
            }
        }
        product
    }

    /// The derivative with respect to a variable.
    pub(crate) fn derivative(&self, variable: usize) -> Self {
        let mut derivative = Polynomial::zero();
        for (monomial, coefficient) in &self.terms {
            let Some(at) = monomial.iter().position(|(v, _)| *v == variable) else { continue };
            let mut lower = monomial.clone();
            let exponent = lower[at].1;
            match exponent {
                1 => drop(lower.remove(at)),
                _ => lower[at].1 -= 1,
            }
            derivative.add_term(lower, &(coefficient * &Rational::from(i64::from(exponent))));
        }
        derivative
    }

    /// The coefficients `c_0, c_1, ...` of the powers of a variable, without it.
    pub(crate) fn coefficients_in(&self, variable: usize) -> Vec<Polynomial> {
        let mut coefficients = vec![Polynomial::zero()];
        for (monomial, coefficient) in &self.terms {
            let mut rest = monomial.clone();
            let at = rest.iter().position(|(other, _)| *other == variable);
            let exponent = at.map_or(0, |at| rest.remove(at).1) as usize;
            if coefficients.len() <= exponent {
                coefficients.resize(exponent + 1, Polynomial::zero());
            }
            coefficients[exponent].add_term(rest, coefficient);
        }
        coefficients
    }

    /// The value of `c_0 + c_1 x + ...`.
    pub(crate) fn horner(coefficients: &[Polynomial], x: &Self) -> Self {
        let next = |value: Polynomial, coefficient| value.times(x).plus(coefficient);
        coefficients.iter().rev().fold(Polynomial::zero(), next)
    }

    /// The polynomial with a variable replaced.
    pub(crate) fn substituted(&self, variable: usize, value: &Self) -> Self {
        if !self.involves(variable) {
            return self.clone();
        }
        Polynomial::horner(&self.coefficients_in(variable), value)
    }

    /// The least common multiple of the denominators of all coefficients.
    pub(crate) fn common_denominator(&self) -> Int {
        self.terms.values().fold(Int::ONE, |lcm, c| lcm.lcm(&c.denominator))
    }

    /// The product with the common denominator as a row of `width` columns, where the first one is the
    /// constant; none if there is a product.
    pub(crate) fn to_row(&self, width: usize) -> Option<Row> {
        let lcm = self.common_denominator();
        let mut row = Row::zeros(width);
        for (monomial, coefficient) in &self.terms {
            let column = match monomial.as_slice() {
                [] => 0,
                [(column, 1)] => *column,
                _ => return None,
            };
            row.set(column, &coefficient.numerator * &lcm.div_exact(&coefficient.denominator));
        }
        Some(row)
    }

    /// The form of a row over a positive or negative number; the first column is the constant.
    pub(crate) fn from_row(row: &Row, divisor: &Int) -> Self {
        let mut form = Polynomial::zero();
        for (column, value) in row.iter().enumerate().filter(|(_, value)| !value.is_zero()) {
            let monomial = if column == 0 { Vec::new() } else { vec![(column, 1)] };
            form.add_term(monomial, &Rational::new(value, divisor.clone()));
        }
        form
    }

    /// Adds `c_0 + c_1 h + c_2 h^2 + ...` of the form `h` that a row is, whose first column is the constant
    /// `a`: by the multinomial theorem the coefficient of a monomial of degree `m` is the `m`-th derivative
    /// at `a` times the product of `h_i^e / e!` over its factors `x_i^e`.
    ///
    /// *Cost.* One addition for each monomial of at most the degree.
    pub(crate) fn add_powers_of_form(&mut self, coefficients: &[Rational], row: &Row) {
        let constant = row.iter().next().map_or(Rational::zero(), Rational::from);
        let derivatives = derivatives(coefficients, &constant);
        let variables = row.iter().enumerate().skip(1).filter(|(_, value)| !value.is_zero());
        let variables: Vec<(usize, Rational)> =
            variables.map(|(column, value)| (column, Rational::from(value))).collect();
        self.add_multiples(&variables, &derivatives, &mut Vec::new(), &Rational::one());
    }

    /// Adds the terms that are multiples of a monomial by these variables.
    fn add_multiples(
        &mut self,
        variables: &[(usize, Rational)],
        derivatives: &[Rational],
        monomial: &mut Monomial,
        factor: &Rational,
    ) {
        let Some((derivative, higher)) = derivatives.split_first() else { return };
        self.add_term(monomial.clone(), &(factor * derivative));
        for (position, (variable, coefficient)) in variables.iter().enumerate() {
            let mut factor = factor.clone();
            for exponent in 1..=higher.len() {
                let step = coefficient / &Rational::from(exponent as i64);
                factor = &factor * &step;
                monomial.push((*variable, exponent as u32));
                let (rest, higher) = (&variables[position + 1..], &higher[exponent - 1..]);
                self.add_multiples(rest, higher, monomial, &factor);
                monomial.pop();
            }
        }
    }

    /// The same polynomial with other numbers of variables, which may coincide.
    pub(crate) fn renamed(&self, number: impl Fn(usize) -> usize) -> Self {
        let mut renamed = Polynomial::zero();
        for (monomial, coefficient) in &self.terms {
            let factors = monomial.iter().map(|&(variable, e)| vec![(number(variable), e)]);
            let monomial = factors.fold(Vec::new(), |all, factor| monomial_product(&all, &factor));
            renamed.add_term(monomial, coefficient);
        }
        renamed
    }

    /// The value for the values of the variables.
    pub(crate) fn value(&self, of: impl Fn(usize) -> Rational) -> Rational {
        let power = |&(variable, exponent): &(usize, u32)| {
            let value = of(variable);
            Rational::new(value.numerator.pow(exponent), value.denominator.pow(exponent))
        };
        let term = |(monomial, coefficient): (&Monomial, &Rational)| {
            monomial.iter().fold(coefficient.clone(), |product, factor| product * power(factor))
        };
        self.terms.iter().map(term).fold(Rational::zero(), |sum, term| sum + term)
    }
}

/// The value of `c_0 + c_1 x + ...` and those of its derivatives.
fn derivatives(coefficients: &[Rational], at: &Rational) -> Vec<Rational> {
    let mut left = coefficients.to_vec();
    while left.last().is_some_and(Rational::is_zero) {
        left.pop();
    }
    let mut values = Vec::with_capacity(left.len());
    while !left.is_empty() {
        values.push(left.iter().rev().fold(Rational::zero(), |value, c| &(&value * at) + c));
        let powers = left.drain(1..).collect::<Vec<_>>().into_iter().enumerate();
        left = powers.map(|(k, c)| &c * &Rational::from(k as i64 + 1)).collect();
    }
    values
}

/// The product of two monomials.
pub(crate) fn monomial_product(a: &Monomial, b: &Monomial) -> Monomial {
    let mut product: Monomial = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let left = a.get(i).map_or(usize::MAX, |factor| factor.0);
        let right = b.get(j).map_or(usize::MAX, |factor| factor.0);
        let mut exponent = 0;
        if left <= right {
            exponent += a[i].1;
            i += 1;
        }
        if right <= left {
            exponent += b[j].1;
            j += 1;
        }
        product.push((left.min(right), exponent));
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_a_form_are_products() {
        let coefficients = [3, 0, -2, 5, 1].map(Rational::from);
        for row in [[0, 1, 0, 0], [4, 0, 0, 0], [-1, 2, 0, -3], [2, 1, 1, 7], [0, 0, 0, 0]] {
            let row = Row::from_i64s(&row);
            let form = Polynomial::from_row(&row, &Int::ONE);
            let as_polynomials = coefficients.clone().map(Polynomial::constant);
            let mut sum = Polynomial::variable(2);
            sum.add_powers_of_form(&coefficients, &row);
            let expected =
                Polynomial::horner(&as_polynomials, &form).plus(&Polynomial::variable(2));
            assert_eq!(sum, expected, "{row:?}");
        }
        let mut constant = Polynomial::zero();
        constant.add_powers_of_form(&coefficients, &Row::zeros(0));
        assert_eq!(constant, Polynomial::constant(Rational::from(3)));
        let mut zero = Polynomial::zero();
        zero.add_powers_of_form(&[Rational::zero()], &Row::from_i64s(&[1, 1]));
        assert!(zero.is_zero());
    }
}
