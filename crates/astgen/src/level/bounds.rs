//! The constraints that bound a dimension, and forms of the outer dimensions as its bounds.
use crate::level::columns::{with_column, with_numerators, without_column};
use loopwright_presburger::*;

/// Whether the constraints bound dimension `level` from both sides.
pub(crate) fn is_bounded(basic: &BasicSet, level: usize) -> bool {
    let map = basic.as_basic_map();
    let column = map.offset(DimKind::Out) + level;
    let has = |sign: i32| map.inequalities().iter().any(|row| row.sign(column) == sign);
    map.equalities().iter().any(|row| !row.is_zero_at(column)) || (has(1) && has(-1))
}

/// The constraints that involve dimension `level`, or those that do not.
pub(crate) fn involving(basic: &BasicSet, level: usize, wanted: bool) -> BasicSet {
    let map = basic.as_basic_map();
    let column = map.offset(DimKind::Out) + level;
    let mut constraints = map.constraints();
    constraints.retain(|constraint| constraint.row.is_zero_at(column) != wanted);
    let locals = map.locals().to_vec();
    BasicSet::from_basic_map(BasicMap::from_constraints(map.space().clone(), locals, constraints))
}

/// The bound that the inequality puts on dimension `level`: `⌈-h/a⌉` for `a i + h >= 0`, and
/// `⌊g/b⌋` for `-b i + g >= 0`.
pub(crate) fn lower_bound(map: &BasicMap, row: &Row, level: usize) -> Aff {
    let column = map.offset(DimKind::Out) + level;
    let coefficient = row.get(column);
    let bound = solved(map, row, level);
    match coefficient.abs().is_one() {
        true => bound,
        false if coefficient.is_positive() => bound.ceil(),
        false => bound.floor(),
    }
}

/// `i` from the equality `v i + h = 0`: `-h / v`.
pub(crate) fn solved(map: &BasicMap, row: &Row, level: usize) -> Aff {
    let column = map.offset(DimKind::Out) + level;
    let mut rest = row.clone();
    let coefficient = row.get(column);
    if coefficient.is_positive() {
        rest.negate();
    }
    without_level(map, &rest, level, coefficient.abs())
}

/// `row / denominator` without the column of `level`, as a form of the outer dimensions.
fn without_level(map: &BasicMap, row: &Row, level: usize, denominator: Int) -> Aff {
    let column = map.offset(DimKind::Out) + level;
    let locals = with_numerators(map.locals(), |row| without_column(row, column));
    let space = Space::set(map.space().param_names(), Tuple::anonymous(level));
    Aff::from_row(&space, locals, without_column(row, column), denominator)
}

/// A form of the first `level` dimensions as one of the dimensions of `space`, one more.
pub(crate) fn embedded(aff: &Aff, space: &Space, level: usize) -> Aff {
    let aff = aff.align_params(space);
    let column = 1 + aff.domain_space().n(DimKind::Param) + level;
    let locals = with_numerators(aff.locals(), |row| with_column(row, column));
    Aff::from_row(space, locals, with_column(aff.row(), column), aff.denominator().clone())
}

/// A bound further away than this from that of the piece that it was shifted from is none: it comes
/// from the range of a type, and the loop would hardly ever end.
const FAR: i64 = 1 << 20;

/// The hull without bounds of dimension `level` that are far from those of all pieces.
pub(crate) fn without_far_bounds(hull: BasicSet, union: &Set, level: usize) -> BasicSet {
    let map = hull.as_basic_map();
    let (column, first_local) = (map.offset(DimKind::Out) + level, map.offset(DimKind::Local));
    let linear = |row: &Row| row.slice(1..first_local);
    let far = Int::from(FAR);
    let is_near = |row: &Row| {
        let mut rows = union.as_map().basic_maps().iter().flat_map(BasicMap::inequalities);
        rows.any(|other| linear(other) == linear(row) && (row.get(0) - other.get(0)).abs() <= far)
    };
    let mut constraints = map.constraints();
    constraints.retain(|Constraint { is_equality, row }| {
        let is_free = row.is_zero_at(column) || row.first_nonzero(first_local..row.len()).is_some();
        *is_equality || is_free || is_near(row)
    });
    let locals = map.locals().to_vec();
    BasicSet::from_basic_map(BasicMap::from_constraints(map.space().clone(), locals, constraints))
}
