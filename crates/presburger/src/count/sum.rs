//! Sums of quasi-polynomials over the points of their domains.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::{During, Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::count::brion::summed_by_vertices;
use crate::count::one_variable::summed;
use crate::count::pieces::{LONG, joined, length, merged, shorter, side_by_side};
use crate::count::summand::{Floor, Summand};
use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};
use crate::polynomials::qpolynomial::QPolynomial;
use crate::polynomials::system::{outer_space, with_floors_of};
use loopwright_exact::{Rational, Value};

const OPERATION: &str = "sum";

/// The sum of a polynomial over the images in disjoint basic relations (or over the elements of sets),
/// as a function of their domain (or of the parameters).
pub(super) fn sum_over_images(
    relation: &Map,
    weight: &QPolynomial,
    outer: &Space,
    budget: &Budget,
) -> Result<PwQPolynomial> {
    let mut finite: Option<PwQPolynomial> = None;
    let mut infinite: Option<Set> = None;
    for basic in &relation.basics {
        if basic.is_empty(budget)? {
            continue;
        }
        if weight.special.is_none() && basic.image_is_bounded(budget)? {
            let mut summand = Summand::new(basic, weight, outer);
            if summand.settle().is_err() {
                continue;
            }
            let sum = product(outer, summand.components(), budget)?;
            finite = Some(match finite {
                Some(known) => known.add(&sum, budget)?,
                None => sum,
            });
            continue;
        }
        let place = Map::from_basic_map(basic.clone());
        let place = match relation.space().is_map() {
            true => place.domain(),
            false => place.params(),
        };
        let place = Set(place.0.with_space(outer.clone()));
        infinite = Some(match infinite {
            Some(known) => known.union(&place)?,
            None => place,
        });
    }
    let finite = finite.unwrap_or_else(|| PwQPolynomial::empty(outer));
    let Some(place) = infinite else { return Ok(finite) };
    let value = match weight.as_constant() {
        Some(value) if value.is_nan() => value,
        Some(value) if value.signum() > 0 => Value::Infinity,
        Some(value) if value.signum() < 0 => Value::NegativeInfinity,
        Some(_) => return Ok(finite),
        None => {
            let reason = "infinitely many values that are not constant".to_owned();
            return Err(Error::Invalid { operation: OPERATION, reason });
        }
    };
    let rest = finite.subtract_domain(&place, budget)?;
    let value = QPolynomial::constant(outer, &value);
    rest.union_disjoint(&PwQPolynomial::on_domain(place, value))
}

/// Up to so many steps the variables are summed over one after the other before vertices are looked for.
const STEPS_FOR_VARIABLES: u64 = 6_000;

/// Up to so many steps vertices are looked for before the variables are tried once more: cross-polytopes of
/// six dimensions have few vertices with many facets each, and take 10 million by vertices and 300 thousand
/// by variables.
const STEPS_FOR_VERTICES: u64 = 1_000_000;

/// The second attempt with variables must have a short result.
const SHORT: usize = 2_000;

/// A sum over finitely many points. Where it takes few steps and parts, one variable after the other is the
/// shortest way. Otherwise the vertices are tried as well; then both again with more steps.
fn finite_sum(outer: &Space, whole: Summand, budget: &Budget) -> Result<PwQPolynomial> {
    let by_variables = |limit: u64| budget.attempt(limit, |part| summed(whole.clone(), part));
    let by_vertices =
        |limit: u64| budget.attempt(limit, |part| summed_by_vertices(whole.clone(), part));
    let quick = by_variables(STEPS_FOR_VARIABLES)?;
    if let Some(parts) = quick.as_ref().filter(|parts| parts.len() <= 1) {
        return joined(outer, parts, budget);
    }
    let found = by_vertices(STEPS_FOR_VERTICES.min(budget.remaining() / 2))?;
    match (&quick, found) {
        (Some(parts), Some(others)) if length(parts).min(length(&others)) < LONG => {
            return match length(parts) <= length(&others) {
                true => joined(outer, parts, budget),
                false => side_by_side(outer, &others, budget),
            };
        }
        (Some(parts), Some(others)) => {
            let functions = [joined(outer, parts, budget)?, side_by_side(outer, &others, budget)?];
            return Ok(shorter(functions));
        }
        (None, Some(parts)) => return side_by_side(outer, &parts, budget),
        (Some(parts), None) => return joined(outer, parts, budget),
        (None, None) => {}
    }
    let second = by_variables(STEPS_FOR_VERTICES.min(budget.remaining() / 2))?;
    if let Some(parts) = second.as_ref().filter(|parts| length(parts) <= SHORT) {
        return joined(outer, parts, budget);
    }
    match (by_vertices(budget.remaining() / 2)?, second) {
        (Some(parts), _) => side_by_side(outer, &parts, budget),
        (None, Some(parts)) => joined(outer, &parts, budget),
        (None, None) => joined(outer, &summed(whole.clone(), budget)?, budget),
    }
}

/// The product of sums over variables that nothing connects.
fn product(outer: &Space, factors: Vec<Summand>, budget: &Budget) -> Result<PwQPolynomial> {
    let is_single = factors.len() == 1;
    let mut product: Option<PwQPolynomial> = None;
    for factor in factors {
        let start = budget.used();
        let sum = finite_sum(outer, factor, budget)?;
        if is_single {
            return Ok(sum);
        }
        let sum = merged(sum, budget.used() - start, budget)?;
        product = Some(match product {
            Some(known) => known.mul(&sum)?,
            None => sum,
        });
    }
    Ok(product.unwrap_or_else(|| PwQPolynomial::empty(outer)))
}

impl Summand {
    /// The polynomial over the points of a basic relation; `outer` is its domain, or its parameters.
    pub(super) fn new(basic: &BasicMap, weight: &QPolynomial, outer: &Space) -> Self {
        let (data, weight) = with_floors_of(basic, weight);
        let first = 1 + outer.n_all();
        let n_dims = data.offset(DimKind::Local) - first;
        let mut summand = Summand {
            first_floor: first,
            floors: Vec::new(),
            variables: vec![None; n_dims],
            equalities: data.equalities.clone(),
            inequalities: data.inequalities.clone(),
            carried: Vec::new(),
            weight,
            is_part: false,
        };
        for local in &data.locals {
            summand.variables.push(match local {
                Local::Unknown => None,
                Local::Floor { numerator, denominator } => {
                    Some(Floor { numerator: numerator.clone(), denominator: denominator.clone() })
                }
            });
        }
        summand.inequalities.extend(crate::core::basic_relation::floor_inequalities(&data));
        summand
    }
}

impl PwQPolynomial {
    /// The sum of the values at all points of the domain, as a function of the parameters; over
    /// pairs, the sum over the second elements as a function of the first.
    ///
    /// *Method.* Sums over one variable after the other by Faulhaber's formulas (Pugh, "Counting solutions to
    /// Presburger formulas", 1994), or, where that takes long, over the cones at the vertices (Verdoolaege et
    /// al., "Counting integer points in parametric polytopes using Barvinok's rational functions", 2007).
    /// Outside of the pieces the sum is zero.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, PwQPolynomial};
    /// let squares = PwQPolynomial::parse("[n] -> { [i] -> i^2 : 0 <= i < n }")?;
    /// let sum = squares.sum(&Budget::unlimited())?;
    /// assert_eq!(sum.to_string(), "[n] -> { (1/3*n^3 - 1/2*n^2 + 1/6*n) : n > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if infinitely many values that are not constant are to be added,
    /// [`Error::Exceeded`].
    pub fn sum(&self, budget: &Budget) -> Result<PwQPolynomial> {
        let outer = outer_space(&self.space);
        let start = budget.used();
        let mut total = PwQPolynomial::empty(&outer);
        for (domain, weight) in &self.pieces {
            let domain = domain.0.make_disjoint(budget).during(OPERATION)?;
            let domain = domain.make_locals_explicit(budget).during(OPERATION)?;
            let relation = match self.space.output().and_then(|tuple| tuple.as_nested()) {
                Some(_) => Set(domain).unwrap()?,
                None => domain,
            };
            let sum = sum_over_images(&relation, weight, &outer, budget).during(OPERATION)?;
            total = total.add(&sum, budget).during(OPERATION)?;
        }
        merged(total, budget.used() - start, budget).during(OPERATION)
    }
}

impl UnionPwQPolynomial {
    /// The sums of all parts, see [`PwQPolynomial::sum`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionPwQPolynomial};
    /// let cost = UnionPwQPolynomial::parse("[n] -> { S[i] -> 2 : 0 <= i < n; T[] -> 1 }")?;
    /// assert_eq!(cost.sum(&Budget::unlimited())?.to_string(), "[n] -> { (2*n + 1) : n > 0; (1) : n <= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`PwQPolynomial::sum`].
    pub fn sum(&self, budget: &Budget) -> Result<UnionPwQPolynomial> {
        let sums = self.parts.iter().map(|part| part.sum(budget));
        added(sums, budget)
    }
}

/// The sum of functions on several spaces.
pub(super) fn added(
    parts: impl Iterator<Item = Result<PwQPolynomial>>,
    budget: &Budget,
) -> Result<UnionPwQPolynomial> {
    let start = budget.used();
    let mut total = UnionPwQPolynomial::empty();
    for part in parts {
        let part = part?;
        let is_zero = part.pieces.iter().all(|(_, value)| value.plain_is_zero());
        let part = if is_zero { PwQPolynomial::empty(part.space()) } else { part };
        total = total.add(&UnionPwQPolynomial::from_parts(vec![part]), budget)?;
    }
    for part in &mut total.parts {
        *part = merged(part.clone(), budget.used() - start, budget)?;
    }
    Ok(total)
}

/// One at every point.
pub(super) fn one(space: &Space) -> QPolynomial {
    QPolynomial::constant(space, &Value::from(Rational::one()))
}
