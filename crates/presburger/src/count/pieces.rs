//! The parts of a sum as a piecewise quasi-polynomial on disjoint domains.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::count::residues::{self, by_residues};
use crate::count::summand::Summand;
use crate::functions::expression::Expression;
use crate::polynomials::equality::agree_on;
use crate::polynomials::pw_qpolynomial::PwQPolynomial;
use crate::polynomials::qpolynomial::QPolynomial;
use crate::polynomials::sparse::Monomial;
use loopwright_exact::{Int, Row};

/// Polynomials of more terms are not simplified inside of their domain.
const MAX_SIMPLIFIED: u64 = 100;

/// With more pieces they are not compared.
const MAX_MERGED: usize = 12;

/// The limits for comparing pieces: a few milliseconds, but not much more than finding them took.
const STEPS_FOR_MERGING: std::ops::RangeInclusive<u64> = 1_000..=40_000;

/// Functions of so many operators are compared by characters once they are whole: a floor may have many, and
/// parts on different domains have more in common pieces.
pub(super) const LONG: usize = 400;

/// So many points are compared before functions are.
const N_POINTS: usize = 6;

/// The sum of parts without variables.
///
/// # Errors
/// The budget is exceeded.
pub(super) fn joined(space: &Space, parts: &[Summand], budget: &Budget) -> Result<PwQPolynomial> {
    let mut pieces: Vec<(BasicMap, QPolynomial)> = Vec::new();
    for part in parts {
        let (domain, weight) = (domain(space, part), weight(space, part));
        if domain.plain_is_empty() {
            continue;
        }
        match pieces.iter_mut().find(|(known, _)| known.plain_is_equal(&domain)) {
            Some((_, known)) => *known = known.plus(&weight),
            None => pieces.push((domain, weight)),
        }
    }
    let mut total = PwQPolynomial::empty(space);
    for (domain, weight) in pieces {
        if weight.plain_is_zero() || domain.is_empty(budget)? {
            continue;
        }
        let (domain, weight) = simplified(domain, &weight, budget)?;
        total = total.add(&PwQPolynomial::on_domain(domain, weight), budget)?;
    }
    Ok(total)
}

/// A domain and a shorter polynomial on it.
fn simplified(
    domain: BasicMap,
    weight: &QPolynomial,
    budget: &Budget,
) -> Result<(Set, QPolynomial)> {
    let domain = Set(Map::from_basic_map(domain));
    let weight = by_residues(weight);
    let weight = match weight.n_terms() {
        0..=MAX_SIMPLIFIED => weight.gist(&domain, budget)?,
        _ => weight,
    };
    Ok((domain, weight))
}

/// Parts on disjoint domains.
///
/// # Errors
/// The budget is exceeded.
pub(super) fn side_by_side(
    space: &Space,
    parts: &[Summand],
    budget: &Budget,
) -> Result<PwQPolynomial> {
    let mut pieces = Vec::with_capacity(parts.len());
    for part in parts {
        let (domain, weight) = (domain(space, part), weight(space, part));
        if !weight.plain_is_zero() && !domain.is_empty(budget)? {
            pieces.push(simplified(domain, &weight, budget)?);
        }
    }
    Ok(PwQPolynomial { space: space.clone(), pieces })
}

/// About the number of operators of parts without variables.
pub(super) fn length(parts: &[Summand]) -> usize {
    let of_part = |part: &Summand| {
        let rows = part.equalities.len() + part.inequalities.len();
        let of_term = |monomial: &Monomial| {
            let floor = |column: usize| usize::from(column >= part.first_floor) * 3;
            2 + monomial.iter().map(|(column, _)| 1 + floor(*column)).sum::<usize>()
        };
        2 * rows + part.weight.terms().map(|(monomial, _)| of_term(monomial)).sum::<usize>()
    };
    parts.iter().map(of_part).sum()
}

/// The one with less characters, the first if both have as many.
pub(super) fn shorter(functions: [PwQPolynomial; 2]) -> PwQPolynomial {
    let [first, second] = functions;
    let n_characters = |function: &PwQPolynomial| function.to_string().len();
    if n_characters(&first) <= n_characters(&second) { first } else { second }
}

/// The same function without pieces that have no point.
fn without_empty(total: PwQPolynomial, budget: &Budget) -> Result<PwQPolynomial> {
    if total.pieces.len() < 2 {
        return Ok(total);
    }
    let PwQPolynomial { space, pieces } = total;
    let mut kept = Vec::with_capacity(pieces.len());
    for (domain, polynomial) in pieces {
        let mut basics = Vec::with_capacity(domain.0.basics.len());
        for basic in &domain.0.basics {
            if !basic.is_empty(budget)? {
                basics.push(basic.clone());
            }
        }
        if !basics.is_empty() {
            kept.push((Set(Map::from_basic_maps(domain.0.space().clone(), basics)), polynomial));
        }
    }
    Ok(PwQPolynomial { space, pieces: kept })
}

/// The same function in fewer pieces: a piece on which the polynomial of another one has the same
/// values becomes a part of that one, and adjacent domains are joined. Sums have such pieces where a sum of
/// few terms is one of none. `spent` is what finding the pieces took.
///
/// # Errors
/// The budget is exceeded.
pub(super) fn merged(total: PwQPolynomial, spent: u64, budget: &Budget) -> Result<PwQPolynomial> {
    let total = without_empty(with_plain_conditions(total, budget)?, budget)?.coalesce(budget)?;
    if !(2..=MAX_MERGED).contains(&total.pieces.len()) {
        return without_redundancies(total, budget);
    }
    let limit = spent.clamp(*STEPS_FOR_MERGING.start(), *STEPS_FOR_MERGING.end());
    let found = budget.attempt(limit, |part| {
        let mut pieces = total.pieces.clone();
        while let Some((from, to)) = agreeing(&pieces, part)? {
            let domain = pieces[to].0.union(&pieces[from].0)?;
            pieces[to].0 = domain.coalesce(part)?;
            drop(pieces.remove(from));
        }
        Ok(pieces)
    })?;
    let pieces = found.unwrap_or_else(|| total.pieces.clone());
    without_redundancies(PwQPolynomial { space: total.space, pieces }, budget)
}

/// The same function with conditions on what is rounded in place of those on a floor alone: `⌊e/d⌋ >= c` is
/// `e >= d c`.
fn with_plain_conditions(total: PwQPolynomial, budget: &Budget) -> Result<PwQPolynomial> {
    let mut pieces = Vec::with_capacity(total.pieces.len());
    for (domain, polynomial) in total.pieces {
        if !domain.0.basics.iter().any(|basic| {
            basic.inequalities().iter().any(|row| floor_alone(&basic.inner, row).is_some())
        }) {
            pieces.push((domain, polynomial));
            continue;
        }
        let plain = domain.0.basics.iter().map(|basic| {
            let mut data = BasicRelation::clone(&basic.inner);
            let rows = std::mem::take(&mut data.inequalities);
            let plain = |row: Row| floor_alone(&data, &row).unwrap_or(row);
            let rows: Vec<Row> = rows.into_iter().map(plain).collect();
            data.inequalities = rows;
            BasicMap::from_data(data)
        });
        let plain = Map::from_basic_maps(domain.0.space().clone(), plain.collect::<Vec<_>>());
        let domain = Set(plain);
        let polynomial = match polynomial.n_terms() {
            0..=MAX_SIMPLIFIED => polynomial.gist(&domain, budget)?,
            _ => polynomial,
        };
        pieces.push((domain, polynomial));
    }
    Ok(PwQPolynomial { space: total.space, pieces })
}

/// What a condition on nothing but one floor says about what is rounded.
fn floor_alone(data: &BasicRelation, row: &Row) -> Option<Row> {
    let column = row.first_nonzero(1..row.len())?;
    let index = column.checked_sub(data.offset(DimKind::Local))?;
    if row.last_nonzero(1..row.len()) != Some(column) {
        return None;
    }
    let Some(Local::Floor { numerator, denominator }) = data.locals.get(index) else { return None };
    let (constant, factor) = (row.get(0), row.get(column));
    let mut plain = numerator.widened(row.len());
    if factor.is_negative() {
        // floor <= most
        let most = constant.div_floor(&-&factor);
        plain.negate();
        plain.add_at(0, &(&(denominator * &most) + &(denominator - &Int::ONE)));
    } else {
        let least = (-constant).div_ceil(&factor);
        plain.add_at(0, &-(denominator * &least));
    }
    Some(plain)
}

/// The same function with joined floors, and domains without conditions that follow from others.
fn without_redundancies(total: PwQPolynomial, budget: &Budget) -> Result<PwQPolynomial> {
    let piece = |(domain, polynomial): (Set, QPolynomial)| {
        Ok((Set(domain.0.remove_redundancies(budget)?), by_residues(&polynomial)))
    };
    let pieces = total.pieces.into_iter().map(piece).collect::<Result<_>>()?;
    Ok(PwQPolynomial { space: total.space, pieces })
}

/// About the number of operators of a function.
pub(super) fn size(function: &PwQPolynomial) -> usize {
    let of_basic = |basic: &BasicMap| 2 * (basic.equalities().len() + basic.inequalities().len());
    let of_piece = |(domain, polynomial): &(Set, QPolynomial)| {
        residues::length(polynomial) + domain.0.basics.iter().map(of_basic).sum::<usize>()
    };
    function.pieces.iter().map(of_piece).sum()
}

/// A piece and another one whose polynomial has the same values on it.
fn agreeing(pieces: &[(Set, QPolynomial)], budget: &Budget) -> Result<Option<(usize, usize)>> {
    for (from, (domain, own)) in pieces.iter().enumerate() {
        if own.special.is_some() {
            continue;
        }
        let points = some_points(domain, budget)?;
        if points.is_empty() {
            continue;
        }
        for (to, (_, other)) in pieces.iter().enumerate() {
            let agrees = |point: &Vec<Int>| own.eval(point) == other.eval(point);
            let is_near = to != from && other.special.is_none() && points.iter().all(agrees);
            if is_near && agree_on(own, other, domain, budget)? {
                return Ok(Some((from, to)));
            }
        }
    }
    Ok(None)
}

/// A few points of a set: one, and those next to it.
fn some_points(domain: &Set, budget: &Budget) -> Result<Vec<Vec<Int>>> {
    let Some(point) = domain.0.sample_point(budget)? else { return Ok(Vec::new()) };
    let mut points = vec![point.clone()];
    for (column, step) in
        (0..point.len()).flat_map(|column| [(column, 1), (column, -1), (column, 7)])
    {
        if points.len() == N_POINTS {
            break;
        }
        let mut next = point.clone();
        next[column] += &Int::from(step);
        if domain.contains_point(&next, budget)? {
            points.push(next);
        }
    }
    Ok(points)
}

fn domain(space: &Space, part: &Summand) -> BasicMap {
    let mut data = BasicRelation::new(space.clone(), part.locals(part.first_variable()));
    data.equalities = part.equalities.clone();
    data.inequalities = part.inequalities.clone();
    BasicMap::from_data(data)
}

fn weight(space: &Space, part: &Summand) -> QPolynomial {
    QPolynomial::from_columns(space, part.locals(part.first_variable()), part.weight.clone())
}
