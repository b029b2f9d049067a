//! Dimensions that take a single value, which need no loop.
//!
//! An equality gives the value directly. A lower bound `a i + h >= 0` and an upper bound
//! `-b i + g >= 0` leave at most one value if `⌊g/b⌋ - ⌈-h/a⌉ < s` with the stride `s`, and then it
//! is the first value of the congruence at or above the lower bound. Grosser, Verdoolaege, Cohen,
//! section 5.3.
use crate::level::Level;
use crate::level::bounds::{lower_bound, solved};
use crate::level::columns::{with_column, with_numerators};
use crate::level::stride::Stride;
use loopwright_presburger::*;

/// The value of the level, if it has at most one for every point of the outer dimensions.
///
/// `bounds` is a set of values of the level.
pub(crate) fn single_value(
    bounds: &BasicSet,
    stride: Option<&Stride>,
    level: Level<'_>,
) -> Result<Option<Aff>> {
    let map = bounds.as_basic_map();
    let column = map.offset(DimKind::Out) + level.dimension;
    let with_dimension = map.equalities().iter().filter(|row| !row.is_zero_at(column));
    if let Some(row) = with_dimension.min_by_key(|row| row.get(column).abs()) {
        return Ok(Some(solved(map, row, level.dimension)));
    }
    let rows = || map.inequalities().iter();
    let (mut least, mut n_lower): (Option<Aff>, usize) = (None, 0);
    for lower in rows().filter(|row| row.sign(column) > 0) {
        let bound = lower_bound(map, lower, level.dimension);
        let first = match stride {
            Some(stride) => stride.at_least(&bound)?,
            None => bound,
        };
        for upper in rows().filter(|row| row.sign(column) < 0) {
            if at_most_one(map, lower, upper, stride, &first, level)? {
                return Ok(Some(first));
            }
        }
        n_lower += 1;
        least = Some(first);
    }
    match (least.filter(|_| n_lower == 1), stride) {
        (Some(first), Some(stride)) if is_alone(bounds, stride, level)? => Ok(Some(first)),
        _ => Ok(None),
    }
}

/// Whether no two values of the congruence are within the bounds.
fn is_alone(bounds: &BasicSet, stride: &Stride, level: Level<'_>) -> Result<bool> {
    let values =
        Set::from_basic_set(bounds.clone()).intersect(&stride.constraint(level.dimension))?;
    let values = values.intersect(&level.around())?;
    let first = values.insert_dims(DimKind::Out, level.dimension + 1, 1);
    let second = values.insert_dims(DimKind::Out, level.dimension, 1);
    let both = first.intersect(&second)?;
    let width = 1 + both.space().n_all();
    let mut row = Row::zeros(width);
    row.set(0, -&stride.modulus);
    row.set(width - 2, -&Int::ONE);
    row.set(width - 1, Int::ONE);
    let constraint = Constraint { is_equality: false, row };
    let apart = BasicMap::from_constraints(both.space().clone(), Vec::new(), vec![constraint]);
    let apart = Set::from_basic_set(BasicSet::from_basic_map(apart));
    match both.intersect(&apart)?.is_empty(level.budget) {
        Err(Error::Exceeded { .. }) => Ok(false),
        other => other,
    }
}

/// Whether two bounds leave at most one value.
///
/// `first` is the first value at or above the lower bound.
/// If `(a g + b h) / a b`, the distance before rounding inwards, is a constant, it is compared with
/// the stride; otherwise the exact distance is maximized.
fn at_most_one(
    map: &BasicMap,
    lower: &Row,
    upper: &Row,
    stride: Option<&Stride>,
    first: &Aff,
    level: Level<'_>,
) -> Result<bool> {
    let column = map.offset(DimKind::Out) + level.dimension;
    let modulus = stride.map_or(Int::ONE, |stride| stride.modulus.clone());
    let (a, b) = (lower.get(column), -&upper.get(column));
    let mut width = lower.clone();
    width.combine(&b, &a, upper);
    if width.first_nonzero(1..width.len()).is_none() {
        let sum = width.get(0);
        if sum < &a * &b * &modulus || stride.is_none() {
            return Ok(sum < &a * &b * &modulus);
        }
    }
    if width_grows_freely(map, &width) {
        return Ok(false);
    }
    let last = lower_bound(map, upper, level.dimension);
    let distance = last.sub(first)?;
    match level.known.max_val(&distance, level.budget) {
        Ok(Optimum::At(most)) => Ok(most < modulus),
        Ok(Optimum::Empty) => Ok(true),
        Ok(Optimum::Unbounded) => Ok(false),
        Err(Error::Exceeded { .. }) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Whether the width depends on a parameter with a positive coefficient and on nothing else, which
/// usually has no bound; this only saves the time for an optimization.
fn width_grows_freely(map: &BasicMap, width: &Row) -> bool {
    let parameters = map.offset(DimKind::Param)..map.offset(DimKind::Out);
    let negative = (1..width.len()).any(|column| width.sign(column) < 0);
    !negative && parameters.into_iter().any(|column| width.sign(column) > 0)
}

/// The points at depth `level + 1` whose last dimension has the given value.
pub(crate) fn value_constraint(value: &Aff, level: usize) -> Set {
    let outer = value.domain_space();
    let column = 1 + outer.n_all();
    let mut row = with_column(value.row(), column);
    row.negate();
    row.set(column, value.denominator().clone());
    let locals = with_numerators(value.locals(), |row| with_column(row, column));
    let space = Space::set(outer.param_names(), Tuple::anonymous(level + 1));
    let constraint = Constraint { is_equality: true, row };
    let basic = BasicMap::from_constraints(space, locals, vec![constraint]);
    Set::from_basic_set(BasicSet::from_basic_map(basic))
}
