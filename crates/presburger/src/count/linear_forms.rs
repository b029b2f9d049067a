//! Polynomials as sums of powers of linear forms.
//!
//! The generating function of a cone at `exp(t l)` has the sum of `l(x)^k/k!` over its points as coefficient
//! of `t^k`, for a linear form `l` that is zero on no edge. So sums of powers of such forms are all that is
//! needed: the `k`-th powers of as many generic ones as there are monomials of degree `k` span the
//! polynomials of this degree (Baldoni, Berline, De Loera, Köppe and Vergne, "How to integrate a polynomial
//! over a simplex", 2011). In the place of the variables that a polynomial does not have there is one letter,
//! a generic form of them, so that their number does not matter.
use crate::core::budget::Budget;
use crate::core::error::{Error, Result};
use crate::count::cones::independent;
use crate::polynomials::sparse::{Monomial, Polynomial};
use loopwright_exact::{Int, Matrix, Rational, Row};
use std::collections::BTreeMap;
use std::ops::Range;

const OPERATION: &str = "the powers of linear forms";

/// So many forms are tried.
const N_TRIES: i64 = 1_000;

/// `coefficient * form^degree/degree!`.
pub(super) struct Power {
    /// The position of the form.
    pub(super) form: usize,
    pub(super) degree: usize,
    /// A polynomial in the fixed columns.
    pub(super) coefficient: Polynomial,
}

/// A sum of powers of linear forms in some variables.
pub(super) struct PowerSum {
    pub(super) forms: Vec<Row>,
    pub(super) powers: Vec<Power>,
}

/// The parts of a polynomial of each degree: exponents of the letters, and coefficients.
type Homogeneous = BTreeMap<u32, BTreeMap<Vec<u32>, Polynomial>>;

impl PowerSum {
    /// A polynomial, in the variables of some columns, as powers of forms that are generic.
    ///
    /// # Errors
    /// The budget is exceeded, or there are too few generic forms.
    pub(super) fn of(
        polynomial: &Polynomial,
        variables: Range<usize>,
        is_generic: impl Fn(&Row) -> Result<bool>,
        budget: &Budget,
    ) -> Result<PowerSum> {
        let letters = Letters::of(polynomial, variables);
        let parts = letters.homogeneous(polynomial);
        let top = parts.keys().last().copied().unwrap_or(0);
        let forms = letters.generic_forms(top, is_generic, budget)?;
        let mut powers = Vec::new();
        for (&degree, part) in &parts {
            powers.extend(letters.powers(&forms, degree, part, budget)?);
        }
        Ok(PowerSum { forms: forms.into_iter().map(|form| form.row).collect(), powers })
    }
}

/// A linear form in the variables, and its coefficients in terms of the letters.
struct Form {
    row: Row,
    letters: Vec<Int>,
}

/// The variables that occur in a polynomial, and a form of the others as one more letter.
struct Letters {
    first: usize,
    n_variables: usize,
    /// Positions among the variables.
    occurring: Vec<usize>,
}

impl Letters {
    fn of(polynomial: &Polynomial, variables: Range<usize>) -> Self {
        let first = variables.start;
        let n_variables = variables.len();
        let occurring = (0..n_variables).filter(|at| polynomial.involves(first + at)).collect();
        Letters { first, n_variables, occurring }
    }

    fn n(&self) -> usize {
        self.occurring.len() + usize::from(self.occurring.len() < self.n_variables)
    }

    fn homogeneous(&self, polynomial: &Polynomial) -> Homogeneous {
        let mut parts = Homogeneous::new();
        for (monomial, coefficient) in polynomial.terms() {
            let mut exponents = vec![0; self.n()];
            let mut rest = Monomial::new();
            for &(column, exponent) in monomial {
                let at = |&at: &usize| self.first + at == column;
                match self.occurring.iter().position(at) {
                    Some(letter) => exponents[letter] = exponent,
                    None => rest.push((column, exponent)),
                }
            }
            let part = parts.entry(exponents.iter().sum()).or_default();
            part.entry(exponents).or_default().add_term(rest, coefficient);
        }
        parts
    }

    /// Forms with small entries whose powers are a basis of the polynomials of a degree, and so of those of
    /// smaller ones.
    fn generic_forms(
        &self,
        degree: u32,
        is_generic: impl Fn(&Row) -> Result<bool>,
        budget: &Budget,
    ) -> Result<Vec<Form>> {
        let monomials = monomials(self.n(), degree, budget)?;
        let mut state = 1u64;
        let (mut forms, mut known): (Vec<Form>, Vec<Row>) = (Vec::new(), Vec::new());
        for attempt in 0..N_TRIES {
            let width = 3 + 2 * (attempt / 8);
            let form = self.form(forms.first(), || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                Int::from((state >> 33) as i64 % width - width / 2)
            });
            if !is_generic(&form.row)? {
                continue;
            }
            known.push(form.values(&monomials));
            budget.spend((known.len() * known.len() * monomials.len()) as u64, OPERATION)?;
            if independent(&known, known.len()).len() < known.len() {
                known.pop();
                continue;
            }
            forms.push(form);
            if forms.len() == monomials.len() {
                return Ok(forms);
            }
        }
        Err(Error::too_large(OPERATION))
    }

    /// A form of some entries, in which the variables that do not occur are as in the first one.
    fn form(&self, first: Option<&Form>, mut entry: impl FnMut() -> Int) -> Form {
        let mut row: Row = (0..self.n_variables).map(|_| entry()).collect();
        let mut last = Int::ONE;
        if let Some(first) = first {
            last = entry();
            for at in (0..self.n_variables).filter(|at| !self.occurring.contains(at)) {
                row.set(at, &first.row.get(at) * &last);
            }
        }
        let occurring = self.occurring.iter().map(|&at| row.get(at));
        let letters = occurring.chain([last]).take(self.n()).collect();
        Form { row, letters }
    }

    /// A homogeneous polynomial as powers of some forms, by the inverse of the matrix of values of monomials.
    fn powers(
        &self,
        forms: &[Form],
        degree: u32,
        part: &BTreeMap<Vec<u32>, Polynomial>,
        budget: &Budget,
    ) -> Result<Vec<Power>> {
        let monomials = monomials(self.n(), degree, budget)?;
        let n = monomials.len();
        budget.spend((n * n * (n + forms.len())) as u64, OPERATION)?;
        let values: Vec<Row> = forms.iter().map(|form| form.values(&monomials)).collect();
        let chosen = independent(&values, n);
        let matrix = Matrix::new(chosen.iter().map(|&at| values[at].clone()).collect(), n);
        let Some((adjugate, determinant)) = matrix.adjugate() else {
            return Err(Error::too_large(OPERATION));
        };
        let mut powers = Vec::with_capacity(n);
        for (at, &form) in chosen.iter().enumerate() {
            let mut coefficient = Polynomial::zero();
            for (exponents, factor) in part {
                let Some(row) = monomials.iter().position(|known| known == exponents) else {
                    continue;
                };
                let numerator = &adjugate.get(row, at) * &factorials(exponents);
                let scale = Rational::new(numerator, determinant.clone());
                coefficient = coefficient.plus(&factor.scaled(&scale));
            }
            if !coefficient.is_zero() {
                powers.push(Power { form, degree: degree as usize, coefficient });
            }
        }
        Ok(powers)
    }
}

impl Form {
    /// The values of monomials at the letters.
    fn values(&self, monomials: &[Vec<u32>]) -> Row {
        let value = |exponents: &Vec<u32>| {
            let powers = exponents.iter().zip(&self.letters).map(|(e, letter)| letter.pow(*e));
            powers.fold(Int::ONE, |product, power| &product * &power)
        };
        monomials.iter().map(value).collect()
    }
}

/// All exponents of some letters with a given sum.
fn monomials(n_letters: usize, degree: u32, budget: &Budget) -> Result<Vec<Vec<u32>>> {
    let mut prefixes: Vec<Vec<u32>> = vec![Vec::new()];
    for letter in 0..n_letters {
        let is_last = letter + 1 == n_letters;
        let mut longer = Vec::new();
        for prefix in &prefixes {
            let rest = degree - prefix.iter().sum::<u32>();
            let least = if is_last { rest } else { 0 };
            budget.spend(u64::from(rest - least) + 1, OPERATION)?;
            longer.extend((least..=rest).map(|exponent| [&prefix[..], &[exponent]].concat()));
        }
        prefixes = longer;
    }
    Ok(prefixes)
}

/// The product of the factorials of some exponents: in `form^k/k!` a monomial is divided by that of its own.
fn factorials(exponents: &[u32]) -> Int {
    let factors = exponents.iter().flat_map(|&exponent| 1..=i64::from(exponent));
    factors.fold(Int::ONE, |product, factor| &product * &Int::from(factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Column 1 is fixed, the variables are columns 2 to 4.
    fn check(terms: &[(i64, &[(usize, u32)])], most: usize) {
        let mut polynomial = Polynomial::zero();
        for (coefficient, monomial) in terms {
            polynomial.add_term(monomial.to_vec(), &Rational::from(*coefficient));
        }
        let is_generic = |form: &Row| Ok(form.iter().all(|entry| !entry.is_zero()));
        let budget = &Budget::unlimited();
        let sum = PowerSum::of(&polynomial, 2..5, is_generic, budget).unwrap();
        assert!((1..=most).contains(&sum.powers.len()));
        let mut found = Polynomial::zero();
        for power in &sum.powers {
            let form =
                Polynomial::from_row(&sum.forms[power.form].placed(&[2, 3, 4], 5), &Int::ONE);
            let factors = (1..=power.degree as i64)
                .map(|k| form.scaled(&Rational::new(Int::ONE, Int::from(k))));
            let power =
                factors.fold(power.coefficient.clone(), |product, form| product.times(&form));
            found = found.plus(&power);
        }
        assert_eq!(found, polynomial);
    }

    #[test]
    fn powers_add_up_to_the_polynomial() {
        check(&[(7, &[(1, 2)])], 1);
        check(&[(1, &[(3, 1)])], 2);
        check(&[(3, &[(2, 2), (4, 1)]), (-1, &[(1, 1), (2, 1)]), (5, &[])], 10 + 3 + 1);
        check(&[(1, &[(2, 1), (3, 1), (4, 1)]), (2, &[(1, 3), (3, 2)])], 10 + 6);
    }
}
