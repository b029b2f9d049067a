//! Inequalities with a floor that say no more than one without, given what is known around them.
use crate::dimension::half_space::{half_space, negation};
use loopwright_presburger::*;

/// The most work for one inequality.
const STEPS: u64 = 100_000;

/// An inequality without floors that excludes the same points as `constraint` where `known` and
/// `others` hold; none if none is found.
///
/// If `k` is the least value of some form without floors where the inequality holds, then `form >= k`
/// excludes no point that it allows; the remaining question is whether it allows none that it excludes.
/// The forms that are tried are the left side with `e/m` in place of `⌊e/m⌋`, and single variables.
pub(crate) fn without_floor(
    map: &BasicMap,
    constraint: &Constraint,
    others: &[Constraint],
    known: &Set,
) -> Result<Option<Constraint>> {
    let first = map.offset(DimKind::Local);
    if constraint.is_equality || constraint.row.first_nonzero(first..constraint.row.len()).is_none()
    {
        return Ok(None);
    }
    let budget = Budget::steps(STEPS);
    match equivalent(map, constraint, others, known, &budget) {
        Err(Error::Exceeded { .. }) => Ok(None),
        other => other,
    }
}

/// The constraints without inequalities that follow from `known` and the other ones.
pub(crate) fn without_implied(
    map: &BasicMap,
    mut constraints: Vec<Constraint>,
    known: &Set,
) -> Result<Vec<Constraint>> {
    let budget = Budget::steps(STEPS);
    for position in (0..constraints.len()).rev() {
        let constraint = &constraints[position];
        if constraint.is_equality {
            continue;
        }
        let others = [&constraints[..position], &constraints[position + 1..]].concat();
        let locals = map.locals().to_vec();
        let others = BasicMap::from_constraints(map.space().clone(), locals, others);
        let others = Set::from_basic_set(BasicSet::from_basic_map(others));
        let violated = half_space(map, negation(&constraint.row));
        match known.intersect(&others)?.intersect(&violated)?.is_empty(&budget) {
            Ok(true) => drop(constraints.remove(position)),
            Ok(false) | Err(Error::Exceeded { .. }) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(constraints)
}

fn equivalent(
    map: &BasicMap,
    constraint: &Constraint,
    others: &[Constraint],
    known: &Set,
    budget: &Budget,
) -> Result<Option<Constraint>> {
    let rest =
        BasicMap::from_constraints(map.space().clone(), map.locals().to_vec(), others.to_vec());
    let around = known.intersect(&Set::from_basic_set(BasicSet::from_basic_map(rest)))?;
    let inside = around.intersect(&half_space(map, constraint.row.clone()))?;
    let outside = around.intersect(&half_space(map, negation(&constraint.row)))?;
    for mut row in forms(map, &constraint.row) {
        let form = Aff::from_row(map.space(), map.locals().to_vec(), row.clone(), Int::ONE);
        let Optimum::At(least) = inside.min_val(&form, budget)? else { continue };
        row.set(0, row.get(0) - &least);
        if outside.intersect(&half_space(map, row.clone()))?.is_empty(budget)? {
            return Ok(Some(Constraint { is_equality: false, row }));
        }
    }
    Ok(None)
}

/// The forms that may be compared with a constant instead.
fn forms(map: &BasicMap, row: &Row) -> Vec<Row> {
    let (mut relaxed, first) = (row.clone(), map.offset(DimKind::Local));
    let mut used = row.clone();
    for column in (first..row.len()).rev() {
        let factor = relaxed.get(column);
        if used.is_zero_at(column) {
            continue;
        }
        let Local::Floor { numerator, denominator } = &map.locals()[column - first] else {
            return Vec::new();
        };
        relaxed.set(column, Int::ZERO);
        relaxed.scale(denominator);
        relaxed.add_scaled(&factor, numerator);
        (0..column).filter(|&c| !numerator.is_zero_at(c)).for_each(|c| used.set(c, Int::ONE));
    }
    let mut result = Vec::new();
    if relaxed.first_nonzero(1..first).is_some() {
        result.push(relaxed);
    }
    for column in (1..first).filter(|&column| !used.is_zero_at(column)) {
        for sign in [1, -1] {
            let mut single = Row::zeros(row.len());
            single.set(column, Int::from(sign));
            result.push(single);
        }
    }
    result
}
