//! Inequalities of a floor and nothing else, which need no division.
//!
//! `⌊e/d⌋ >= b` says `e >= d b`, and `⌊e/d⌋ <= b` says `e <= d b + d - 1`.
use loopwright_presburger::{BasicMap, Constraint, DimKind, Int, Local, Row};

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
