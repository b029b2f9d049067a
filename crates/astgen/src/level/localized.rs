//! Over-approximations of sets that can serve for the bounds of loops.
use crate::level::bounds::is_bounded;
use loopwright_presburger::*;

/// An over-approximation of a set at depth `level + 1` that can serve for loop bounds: without
/// existentials, and without floors of the dimension itself.
///
/// A bound must not depend on its own iterator, and a constraint with a floor of the dimension may
/// fail at one value and hold at a greater one. What is lost here are strides and conditions that
/// later levels recover.
pub(crate) fn localized(set: &Set, level: usize) -> Set {
    if set.as_map().basic_maps().iter().all(|basic| basic.locals().is_empty()) {
        return set.clone();
    }
    let pieces = set
        .as_map()
        .basic_maps()
        .iter()
        .map(|basic| BasicSet::from_basic_map(with_floors_from_equalities(basic, level)));
    let set = Set::from_basic_sets(set.space().clone(), pieces.collect());
    set.remove_unknown_locals().remove_locals_involving_dims(DimKind::Out, level, 1)
}

/// With floors in place of existentials that an equality without dimension `level` determines: `2 e = c` says
/// `e = ⌊c/2⌋`.
fn with_floors_from_equalities(basic: &BasicMap, level: usize) -> BasicMap {
    let first = basic.offset(DimKind::Local);
    let dimension = basic.offset(DimKind::Out) + level;
    let mut locals = basic.locals().to_vec();
    for (position, local) in locals.iter_mut().enumerate() {
        let column = first + position;
        let determines = |row: &&Row| {
            let others = (first..row.len()).filter(|&other| other != column);
            !row.is_zero_at(column)
                && row.is_zero_at(dimension)
                && others.into_iter().all(|other| row.is_zero_at(other))
        };
        if matches!(local, Local::Unknown)
            && let Some(row) = basic.equalities().iter().find(determines)
        {
            let mut numerator = row.clone();
            if row.get(column).is_positive() {
                numerator.negate();
            }
            numerator.set(column, Int::ZERO);
            *local = Local::Floor { numerator, denominator: row.get(column).abs() };
        }
    }
    BasicMap::from_constraints(basic.space().clone(), locals, basic.constraints())
}

/// A further over-approximation without floors, if floors would only make the bounds of dimension
/// `level` tighter. Inner loops run zero times where that lets too much through.
pub(crate) fn without_floors(set: Set, level: usize) -> Set {
    let bounds_use_floors = |basic: &BasicMap| {
        let column = basic.offset(DimKind::Out) + level;
        let first = basic.offset(DimKind::Local);
        let fixed = basic.equalities().iter().any(|row| !row.is_zero_at(column));
        let uses =
            |row: &Row| !row.is_zero_at(column) && row.first_nonzero(first..row.len()).is_some();
        !fixed && basic.inequalities().iter().any(uses)
    };
    if !set.as_map().basic_maps().iter().any(bounds_use_floors) {
        return set;
    }
    let simpler = set.remove_locals();
    if simpler.basic_sets().iter().all(|basic| is_bounded(basic, level)) { simpler } else { set }
}
