//! How many instances a statement has whose loops depend on each other, as a polynomial in symbolic
//! constants.
//!
//! The product of extents is that of the box around a domain. A triangle has half of its points, so a
//! condition on the product would send regions with too little work to threads. Where the bounds of a loop
//! have to do with other loops the instances are counted instead, within a small limit. Where that gives
//! floors, or several pieces (a trapezium that may be a triangle), the product stands.
use crate::settings::effort::Effort;
use loopwright_presburger::{Aff, DimKind, QPolynomial, Rational, Set};
use loopwright_transform::cost::trip_counts::Nominal;

/// Steps for a count, a few milliseconds; triangles and tetrahedra take a tenth.
const STEPS: u64 = 20_000;

/// A condition with more terms is not written.
const MOST_TERMS: usize = 8;

/// Numbers above are not written.
const LARGEST: i64 = 1 << 40;

/// A sum of products of powers of symbolic constants, over a common divisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instances {
    /// Coefficients with the powers of the names, the highest degree first.
    pub(crate) terms: Vec<(i64, Vec<(String, u32)>)>,
    /// What the sum is divided by.
    pub(crate) divisor: i64,
}

impl Instances {
    /// The number of points of a domain if loops in it depend on each other; none if they do not, or no
    /// polynomial is found.
    pub(crate) fn of(domain: &Set, nominal: &Nominal, effort: &Effort) -> Option<Instances> {
        if !is_uneven(domain) {
            return None;
        }
        let count = domain.card(&effort.budget(STEPS)).ok()?;
        let holds = |set: &Set| !nominal.fix(set).is_empty(&effort.budget(STEPS)).unwrap_or(true);
        // Of several pieces none holds for all sizes.
        match count.pieces() {
            [(set, polynomial)] if holds(set) => Instances::of_polynomial(polynomial),
            _ => None,
        }
    }

    /// The number of points of a set as the polynomial that it is for typical sizes; none if that is not
    /// found.
    pub(crate) fn of_any(set: &Set, nominal: &Nominal, effort: &Effort) -> Option<Instances> {
        let count = set.card(&effort.budget(STEPS)).ok()?;
        let holds = |set: &Set| !nominal.fix(set).is_empty(&effort.budget(STEPS)).unwrap_or(true);
        let mut here = count.pieces().iter().filter(|(set, _)| holds(set));
        match here.next() {
            Some((_, polynomial)) => Instances::of_polynomial(polynomial),
            None => Some(Instances { terms: Vec::new(), divisor: 1 }),
        }
    }

    /// A polynomial; none with floors, or with more or larger numbers than are written.
    pub(crate) fn of_polynomial(polynomial: &QPolynomial) -> Option<Instances> {
        let space = polynomial.domain_space();
        let names = space.param_names();
        let variables: Vec<Aff> =
            (0..names.len()).map(|at| Aff::variable(space, DimKind::Param, at)).collect();
        // Floors are none of them.
        let name_of = |aff: &Aff| {
            let at = variables.iter().position(|variable| variable.plain_is_equal(aff))?;
            Some(names[at].to_string())
        };
        let found = polynomial.terms();
        let one = loopwright_presburger::Int::ONE;
        let divisor = found.iter().fold(one, |all, (factor, _)| all.lcm(&factor.denominator));
        let scale = Rational::from(divisor.clone());
        let mut terms: Vec<(i64, Vec<(String, u32)>)> = Vec::new();
        for (factor, powers) in &found {
            let scaled = (factor * &scale).to_int()?.to_i64()?;
            let powers = powers.iter().map(|(aff, exponent)| Some((name_of(aff)?, *exponent)));
            if scaled.abs() >= LARGEST {
                return None;
            }
            terms.push((scaled, powers.collect::<Option<_>>()?));
        }
        terms.sort_by_key(|(_, powers)| std::cmp::Reverse(degree(powers)));
        let divisor = divisor.to_i64().filter(|divisor| *divisor < 1 << 20)?;
        (1..=MOST_TERMS).contains(&terms.len()).then_some(Instances { terms, divisor })
    }

    /// The only symbolic constant; none if there are several or none.
    pub(crate) fn single_name(&self) -> Option<&str> {
        let mut names = self.terms.iter().flat_map(|(_, powers)| powers).map(|(name, _)| name);
        let first = names.next()?;
        names.all(|name| name == first).then_some(first)
    }

    /// The number without the divisor, if all symbolic constants have a value; at the ends of the range if it
    /// does not fit.
    pub(crate) fn undivided_at(&self, value: i64) -> i128 {
        let of_term = |(factor, powers): &(i64, Vec<(String, u32)>)| {
            let power = i128::from(value).saturating_pow(degree(powers));
            i128::from(*factor).saturating_mul(power)
        };
        self.terms.iter().map(of_term).fold(0, i128::saturating_add)
    }

    /// The number without the divisor for values of the symbolic constants; none if one has no value, or it
    /// does not fit.
    pub(crate) fn at(&self, value_of: &dyn Fn(&str) -> Option<i64>) -> Option<i128> {
        let mut sum = 0i128;
        for (factor, powers) in &self.terms {
            let mut product = i128::from(*factor);
            for (name, exponent) in powers {
                product =
                    product.checked_mul(i128::from(value_of(name)?).checked_pow(*exponent)?)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// The sum of both.
    pub(crate) fn plus(&self, other: &Instances) -> Option<Instances> {
        let mut terms: Vec<(i64, Vec<(String, u32)>)> = Vec::new();
        let divisor = self.divisor.checked_mul(other.divisor)? / gcd(self.divisor, other.divisor);
        for part in [self, other] {
            for (factor, powers) in &part.terms {
                let factor = factor.checked_mul(divisor / part.divisor)?;
                match terms.iter_mut().find(|(_, known)| known == powers) {
                    Some((known, _)) => *known = known.checked_add(factor)?,
                    None => terms.push((factor, powers.clone())),
                }
            }
        }
        terms.retain(|(factor, _)| *factor != 0);
        terms.sort_by_key(|(_, powers)| std::cmp::Reverse(degree(powers)));
        (1..=MOST_TERMS).contains(&terms.len()).then_some(Instances { terms, divisor })
    }

    /// A multiple.
    pub(crate) fn times(mut self, factor: i64) -> Option<Instances> {
        for (known, _) in &mut self.terms {
            *known = known.checked_mul(factor).filter(|value| value.abs() < LARGEST)?;
        }
        Some(self)
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

fn degree(powers: &[(String, u32)]) -> u32 {
    powers.iter().map(|(_, exponent)| exponent).sum()
}

/// Whether bounds of a loop have to do with other loops, in parts without floors.
fn is_uneven(domain: &Set) -> bool {
    let space = domain.space();
    let n_dims = space.n(DimKind::Out);
    let first = 1 + space.n_all() - n_dims;
    let mut has_pairs = false;
    for part in domain.basic_sets() {
        for constraint in part.constraints() {
            let row = constraint.row;
            if row.first_nonzero(first + n_dims..row.len()).is_some() {
                return false;
            }
            has_pairs |= (first..first + n_dims).filter(|at| !row.is_zero_at(*at)).count() > 1;
        }
    }
    has_pairs
}
