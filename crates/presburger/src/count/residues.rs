//! Floors of one expression by its residues.
//!
//! Let all floors of multiples of `e` have periods that divide `m`. With `r = e mod m` each is a multiple of
//! `e` plus a number that depends on `r` only. So a polynomial in them is one whose coefficients are
//! functions of `r`, and such a function is linear in the floors `⌊(e + j)/m⌋`, which grow by one at
//! `r = m - j`, and `e`: the coefficient of `e` takes the most frequent growth from one residue to the next,
//! and floors the others. That is often shorter than the products of floors that sums over cones and over
//! residues consist of.
use crate::core::constraint::Local;
use crate::polynomials::qpolynomial::QPolynomial;
use crate::polynomials::sparse::{Monomial, Polynomial, monomial_product};
use loopwright_exact::{Int, Rational, Row};
use std::collections::BTreeMap;

/// Residues of larger numbers are not looked at.
const MAX_PERIOD: i64 = 360;

/// Nor are those where the number of residues times that of terms is larger.
const MAX_VALUES: usize = 12 * MAX_TERMS;

/// Nor are polynomials with more terms.
const MAX_TERMS: usize = 600;

/// A floor as `slope * e + rests[e mod m]`.
struct Periodic {
    column: usize,
    slope: Rational,
    rests: Vec<Rational>,
}

/// A floor of a multiple of an expression: `⌊(factor * e + constant)/denominator⌋`.
struct Multiple {
    column: usize,
    base: Row,
    factor: Int,
    constant: Int,
    denominator: Int,
}

/// The same function, in residues where that is shorter.
pub(crate) fn by_residues(q: &QPolynomial) -> QPolynomial {
    let mut best = q.clone();
    if q.special.is_some() || q.polynomial.n_terms() > MAX_TERMS {
        return best;
    }
    let mut bases: Vec<Row> = multiples(q).into_iter().map(|floor| floor.base).collect();
    while let Some(base) = bases.pop() {
        bases.retain(|other| *other != base);
        if let Some(other) =
            in_residues_of(&best, &base).filter(|other| length(other) < length(&best))
        {
            best = other;
        }
    }
    best
}

/// About the number of operators when it is printed.
pub(super) fn length(q: &QPolynomial) -> usize {
    let first = 1 + q.space.n_all();
    let of_floor = |column: usize| match q.locals.get(column.wrapping_sub(first)) {
        Some(Local::Floor { numerator, .. }) => {
            2 + numerator.iter().filter(|value| !value.is_zero()).count()
        }
        _ => 0,
    };
    let of_term = |(monomial, coefficient): (&Monomial, &Rational)| {
        let floors: usize = monomial.iter().map(|(column, _)| of_floor(*column)).sum();
        2 + monomial.len() + usize::from(!coefficient.is_integer()) + floors
    };
    q.polynomial.terms().map(of_term).sum()
}

/// The floors of expressions without floors.
fn multiples(q: &QPolynomial) -> Vec<Multiple> {
    let first = 1 + q.space.n_all();
    let multiple = |(index, local): (usize, &Local)| {
        let Local::Floor { numerator, denominator } = local else { return None };
        let lead = numerator.first_nonzero(1..first)?;
        if numerator.first_nonzero(first..numerator.len()).is_some() {
            return None;
        }
        let mut base = numerator.slice(0..first);
        base.set(0, Int::ZERO);
        let mut factor = base.gcd(1..first);
        base.div_exact(&factor);
        if base.sign(lead) < 0 {
            base.negate();
            factor = -factor;
        }
        let (constant, denominator) = (numerator.get(0), denominator.clone());
        Some(Multiple { column: first + index, base, factor, constant, denominator })
    };
    q.locals.iter().enumerate().filter_map(multiple).collect()
}

fn in_residues_of(q: &QPolynomial, base: &Row) -> Option<QPolynomial> {
    let floors: Vec<Multiple> =
        multiples(q).into_iter().filter(|floor| floor.base == *base).collect();
    let period = floors.iter().fold(Int::ONE, |all, floor| {
        let common = floor.factor.gcd(&floor.denominator);
        all.lcm(&floor.denominator.div_exact(&common))
    });
    let period = period.to_i64().filter(|period| (2..=MAX_PERIOD).contains(period))?;
    if q.polynomial.n_terms() * period as usize > MAX_VALUES {
        return None;
    }
    // Larger coefficients would not be those of floors in normal form.
    let modulus = Int::from(period);
    let is_reduced = |value: Int| value.abs() < modulus;
    if !base.iter().all(is_reduced) {
        return None;
    }
    let floors: Vec<Periodic> = floors.iter().map(|floor| floor.periodic(period)).collect();
    let coefficients = periodic_coefficients(&q.polynomial, &floors, base, period as usize);
    Some(from_coefficients(q, &coefficients, base))
}

impl Multiple {
    fn periodic(&self, period: i64) -> Periodic {
        let slope = Rational::new(self.factor.clone(), self.denominator.clone());
        let rest = |residue: i64| {
            let value = &self.factor * &Int::from(residue);
            let floor = (&value + &self.constant).div_floor(&self.denominator);
            Rational::from(floor) - Rational::new(value, self.denominator.clone())
        };
        Periodic { column: self.column, slope, rests: (0..period).map(rest).collect() }
    }
}

/// A polynomial with a coefficient for each residue.
type PeriodicPolynomial = BTreeMap<Monomial, Vec<Rational>>;

fn add(sum: &mut PeriodicPolynomial, monomial: Monomial, values: Vec<Rational>) {
    match sum.get_mut(&monomial) {
        Some(known) => known.iter_mut().zip(&values).for_each(|(a, b)| *a = &*a + b),
        None => drop(sum.insert(monomial, values)),
    }
}

fn periodic_coefficients(
    polynomial: &Polynomial,
    floors: &[Periodic],
    base: &Row,
    period: usize,
) -> PeriodicPolynomial {
    let form = Polynomial::from_row(base, &Int::ONE);
    let mut sum = PeriodicPolynomial::new();
    for (monomial, coefficient) in polynomial.terms() {
        let is_floor = |column: usize| floors.iter().find(|floor| floor.column == column);
        let rest: Monomial =
            monomial.iter().copied().filter(|&(column, _)| is_floor(column).is_none()).collect();
        let mut product = PeriodicPolynomial::from([(rest, vec![coefficient.clone(); period])]);
        for &(column, exponent) in monomial {
            let Some(floor) = is_floor(column) else { continue };
            for _ in 0..exponent {
                product = times_floor(&product, floor, &form);
            }
        }
        product.into_iter().for_each(|(monomial, values)| add(&mut sum, monomial, values));
    }
    sum
}

fn times_floor(a: &PeriodicPolynomial, floor: &Periodic, form: &Polynomial) -> PeriodicPolynomial {
    let mut product = PeriodicPolynomial::new();
    for (monomial, values) in a {
        let rests = values.iter().zip(&floor.rests).map(|(value, rest)| value * rest);
        add(&mut product, monomial.clone(), rests.collect());
        for (variable, coefficient) in form.terms() {
            let factor = coefficient * &floor.slope;
            let scaled = values.iter().map(|value| value * &factor).collect();
            add(&mut product, monomial_product(monomial, variable), scaled);
        }
    }
    product
}

/// The polynomial, with the functions of the residue as sums of floors.
fn from_coefficients(q: &QPolynomial, all: &PeriodicPolynomial, base: &Row) -> QPolynomial {
    let first = 1 + q.space.n_all();
    let mut locals = q.locals.clone();
    let mut polynomial = Polynomial::zero();
    for (monomial, values) in all {
        let values = shortest_period(values);
        let m = values.len();
        let mut factor = Polynomial::constant(values[0].clone());
        if m > 1 {
            let growth: Vec<Rational> =
                (0..m).map(|r| &values[r] - &values[(r + m - 1) % m]).collect();
            let slope = most_frequent(&growth);
            factor = factor.plus(&Polynomial::from_row(base, &Int::ONE).scaled(&slope));
            for (r, growth) in growth.iter().enumerate() {
                let beyond = growth - &slope;
                if !beyond.is_zero() {
                    let shift = (m - r) % m;
                    let column = first + floor_position(&mut locals, base, shift, m);
                    factor = factor.plus(&Polynomial::variable(column).scaled(&beyond));
                }
            }
        }
        for (other, coefficient) in factor.terms() {
            polynomial.add_term(monomial_product(monomial, other), coefficient);
        }
    }
    let width = first + locals.len();
    for local in &mut locals {
        if let Local::Floor { numerator, .. } = local {
            *numerator = numerator.widened(width);
        }
    }
    QPolynomial::from_columns(&q.space, locals, polynomial)
}

/// The values over the shortest period.
fn shortest_period(values: &[Rational]) -> &[Rational] {
    let m = values.len();
    let repeats = |p: &usize| m.is_multiple_of(*p) && (*p..m).all(|r| values[r] == values[r - p]);
    let period = (1..=m).find(repeats).unwrap_or(m);
    &values[..period]
}

/// Of equally frequent ones the last.
fn most_frequent(values: &[Rational]) -> Rational {
    let count = |value: &Rational| values.iter().filter(|other| *other == value).count();
    values.iter().max_by_key(|value| count(value)).cloned().unwrap_or_default()
}

/// The position of `⌊(base + shift)/modulus⌋`, which may be new.
fn floor_position(locals: &mut Vec<Local>, base: &Row, shift: usize, modulus: usize) -> usize {
    let mut numerator = base.clone();
    numerator.set(0, Int::from(shift as i64));
    let denominator = Int::from(modulus as i64);
    let is_same = |local: &Local| match local {
        Local::Floor { numerator: known, denominator: of } => {
            let (own, floors) = (0..numerator.len(), numerator.len()..known.len());
            *of == denominator
                && known.slice(own) == numerator
                && known.first_nonzero(floors).is_none()
        }
        Local::Unknown => false,
    };
    match locals.iter().position(is_same) {
        Some(position) => position,
        None => {
            locals.push(Local::Floor { numerator, denominator });
            locals.len() - 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let q = QPolynomial::parse(text).unwrap();
        let reduced = by_residues(&q);
        for n in -25..=25 {
            for m in -3..=3 {
                let at = [Int::from(n), Int::from(m)];
                assert_eq!(reduced.eval(&at), q.eval(&at), "{text} at {n}, {m}: {reduced}");
            }
        }
        assert_eq!(reduced.to_string(), expected);
    }

    #[test]
    fn residues_make_polynomials_linear_in_floors() {
        check(
            "[n, m] -> { m*floor(n/2)^2 - n*m*floor(n/2) + 1/4*n^2*m }",
            "[n, m] -> { (1/4*n*m - 1/2*m*floor((n)/2)) }",
        );
        check("[n, m] -> { floor(n/2) + floor((n + 1)/2) + m }", "[n, m] -> { (n + m) }");
        check(
            "[n, m] -> { (floor((n + 1)/3) - floor(n/3))^3 }",
            "[n, m] -> { (n - 2*floor((n)/3) - floor((2 + n)/3)) }",
        );
        // A floor of a floor is another one.
        check(
            "[n, m] -> { floor((n + floor((1 + n)/2))/2) + floor((n + 1)/2)^2 - n*floor((n + 1)/2) }",
            "[n, m] -> { (-1/4*n^2 + 5/4*n - 3/2*floor((2 + n)/4) - 1/2*floor((n)/4)) }",
        );
        // What is shorter with products stays.
        let products = "[n, m] -> { (floor((n)/3)*floor((1 + n)/3)*floor((2 + n)/3)) }";
        check(products, products);
    }
}
