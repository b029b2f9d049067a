//! The parts of a sum as a piecewise quasi-polynomial on disjoint domains.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::count::summand::Summand;
use crate::functions::expression::Expression;
use crate::polynomials::equality::agree_on;
use crate::polynomials::pw_qpolynomial::PwQPolynomial;
use crate::polynomials::qpolynomial::QPolynomial;

/// Polynomials of more terms are not simplified inside of their domain.
const MAX_SIMPLIFIED: u64 = 100;

/// With more pieces they are not compared.
const MAX_MERGED: usize = 12;

/// The limit for comparing pieces, a few milliseconds.
const STEPS_FOR_MERGING: u64 = 40_000;

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
        let domain = Set(Map::from_basic_map(domain));
        let weight = match weight.n_terms() {
            0..=MAX_SIMPLIFIED => weight.gist(&domain, budget)?,
            _ => weight,
        };
        total = total.add(&PwQPolynomial::on_domain(domain, weight), budget)?;
    }
    Ok(total)
}

/// The same function in fewer pieces: a piece on which the polynomial of another one has the same
/// values becomes a part of that one, and adjacent domains are joined. Sums have such pieces where a sum of
/// few terms is one of none.
///
/// # Errors
/// The budget is exceeded.
pub(super) fn merged(total: PwQPolynomial, budget: &Budget) -> Result<PwQPolynomial> {
    let total = total.coalesce(budget)?;
    if !(2..=MAX_MERGED).contains(&total.pieces.len()) {
        return Ok(total);
    }
    let found = budget.attempt(STEPS_FOR_MERGING, |part| {
        let mut pieces = total.pieces.clone();
        while let Some((from, to)) = agreeing(&pieces, part)? {
            let domain = pieces[to].0.union(&pieces[from].0)?;
            pieces[to].0 = domain.coalesce(part)?;
            drop(pieces.remove(from));
        }
        Ok(pieces)
    })?;
    let pieces = found.unwrap_or_else(|| total.pieces.clone());
    Ok(PwQPolynomial { space: total.space, pieces })
}

/// A piece and another one whose polynomial has the same values on it.
fn agreeing(pieces: &[(Set, QPolynomial)], budget: &Budget) -> Result<Option<(usize, usize)>> {
    for (from, (domain, own)) in pieces.iter().enumerate() {
        if own.special.is_some() {
            continue;
        }
        let Some(point) = domain.0.sample_point(budget)? else { continue };
        let value = own.eval(&point);
        for (to, (_, other)) in pieces.iter().enumerate() {
            let is_near = to != from && other.special.is_none() && other.eval(&point) == value;
            if is_near && agree_on(own, other, domain, budget)? {
                return Ok(Some((from, to)));
            }
        }
    }
    Ok(None)
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
