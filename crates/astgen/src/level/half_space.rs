//! Inequalities as sets, and their opposites over the integers.
use loopwright_presburger::*;

/// The opposite of an inequality over the integers.
pub(crate) fn negation(row: &Row) -> Row {
    let mut row = row.clone();
    row.negate();
    row.set(0, row.get(0) - Int::ONE);
    row
}

/// The points with `row >= 0`, a row over the columns of `map`.
pub(crate) fn half_space(map: &BasicMap, row: Row) -> Set {
    let constraint = Constraint { is_equality: false, row };
    let locals = map.locals().to_vec();
    let basic = BasicMap::from_constraints(map.space().clone(), locals, vec![constraint]);
    Set::from_basic_set(BasicSet::from_basic_map(basic))
}
