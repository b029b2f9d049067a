//! Inequalities with floors that say no more than others without.
//!
//! An inequality of a floor and nothing else needs no division: `⌊e/d⌋ >= b` says `e >= d b`, and
//! `⌊e/d⌋ <= b` says `e <= d b + d - 1`. Others may be replaced because of what is known around them.
use crate::level::half_space::{half_space, negation};
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

/// The constraints of a piece, with those of a lone floor as ones of its dividend.
pub(crate) fn constraints_without_lone_floors(map: &BasicMap) -> Vec<Constraint> {
    let mut constraints = map.constraints();
    for constraint in constraints.iter_mut().filter(|constraint| !constraint.is_equality) {
        while let Some(row) = of_dividend(map, &constraint.row) {
            constraint.row = row;
        }
    }
    constraints
}

/// The inequality of the dividend, if a row is one of a lone floor.
fn of_dividend(map: &BasicMap, row: &Row) -> Option<Row> {
    let column = row.first_nonzero(1..row.len())?;
    let position = column.checked_sub(map.offset(DimKind::Local))?;
    if row.first_nonzero(column + 1..row.len()).is_some() {
        return None;
    }
    let Local::Floor { numerator, denominator } = &map.locals()[position] else { return None };
    let (factor, constant) = (row.get(column), row.get(0));
    let mut result = numerator.clone();
    if factor.is_positive() {
        let least = -constant.div_floor(&factor);
        result.set(0, numerator.get(0) - denominator * &least);
    } else {
        let most = constant.div_floor(&-&factor);
        result.negate();
        result.set(0, denominator * &most + denominator - Int::ONE - numerator.get(0));
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_presburger::{BasicMap, BasicSet, Budget, Set};

    #[test]
    fn bounds_of_floors_are_bounds_of_dividends() {
        let budget = Budget::unlimited();
        for (divisor, factor, constant) in
            (2..6).flat_map(|d| (-4..5).flat_map(move |f| (-9..10).map(move |c| (d, f, c))))
        {
            if factor == 0 {
                continue;
            }
            let space = Set::parse("{ [i] }").expect("a set").space().clone();
            let locals = vec![Local::Floor {
                numerator: Row::from_i64s(&[1, 1, 0]),
                denominator: Int::from(divisor),
            }];
            let row = Row::from_i64s(&[constant, 0, factor]);
            let given = vec![Constraint { is_equality: false, row: row.clone() }];
            let map = BasicMap::from_constraints(space.clone(), locals.clone(), given);
            let replaced = constraints_without_lone_floors(&map);
            let set = |constraints| {
                let map = BasicMap::from_constraints(space.clone(), locals.clone(), constraints);
                Set::from_basic_set(BasicSet::from_basic_map(map))
            };
            if map.locals().len() == locals.len() {
                assert!(replaced.iter().all(|each| each.row.is_zero_at(2)), "{row:?}");
            }
            let expected = Set::from_basic_set(BasicSet::from_basic_map(map));
            let same = set(replaced).is_equal(&expected, &budget).expect("no limit");
            assert!(same, "divisor {divisor}, {row:?}");
        }
    }
}
