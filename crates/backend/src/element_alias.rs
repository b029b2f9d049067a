//! What the loops around guarantee: that two elements of an array are never the same one, and how many
//! values a loop has at most.
use crate::linear::Linear;
use loopwright_astgen::Place;
use loopwright_presburger::{
    BasicSet, Budget, Constraint, DimKind, Error, Int, Name, Result, Row, Set,
};

/// Steps for showing that two accesses are never to one element: a few pivots in some 20 dimensions.
const DISJOINT_STEPS: u64 = 200_000;

/// Whether two elements, each at any values of the loops `inside` and at the same values of those
/// outside, are never the same one; false if that is not found within the limit. Each is given by a
/// place where it is accessed, and its subscripts there.
///
/// *Cost.* One emptiness test of at most [`DISJOINT_STEPS`].
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn are_disjoint(
    a: (&Place, &[Linear]),
    b: (&Place, &[Linear]),
    inside: &[&Name],
) -> Result<bool> {
    let names = a.0.iterators();
    let n = names.len();
    if b.0.iterators() != names {
        return Ok(false);
    }
    let first = a.0.known().insert_dims(DimKind::Out, n, n);
    let mut pairs = first.intersect(&b.0.known().insert_dims(DimKind::Out, 0, n))?;
    for (position, name) in names.iter().enumerate() {
        if !inside.contains(&name) {
            pairs = pairs.equate(DimKind::Out, position, DimKind::Out, n + position);
        }
    }
    let space = pairs.space().clone();
    let mut equalities = Vec::new();
    for (own, other) in a.1.iter().zip(b.1) {
        let (own, other) = (row(own, &pairs, names, 0), row(other, &pairs, names, n));
        let (Some(mut row), Some(other)) = (own, other) else { return Ok(false) };
        row.add_scaled(&Int::from(-1), &other);
        equalities.push(Constraint::equality(row));
    }
    let same = BasicSet::universe(space).add_constraints(equalities);
    let budget = Budget::steps(DISJOINT_STEPS);
    match pairs.intersect(&Set::from_basic_set(same))?.is_empty(&budget) {
        Err(Error::Exceeded { .. }) => Ok(false),
        empty => empty,
    }
}

/// Whether a loop around a place has at most `count` values, whatever the loops outside are at; false if that
/// is not found within the limit.
///
/// # Errors
/// Those of the operations on sets.
pub(crate) fn has_at_most(place: &Place, iterator: &Name, count: i64) -> Result<bool> {
    let names = place.iterators();
    let n = names.len();
    let Some(own) = names.iter().position(|name| name == iterator) else { return Ok(false) };
    let first = place.known().insert_dims(DimKind::Out, n, n);
    let mut pairs = first.intersect(&place.known().insert_dims(DimKind::Out, 0, n))?;
    for position in 0..own {
        pairs = pairs.equate(DimKind::Out, position, DimKind::Out, n + position);
    }
    let before = 1 + pairs.space().param_names().len();
    let mut apart = Row::zeros(before + 2 * n);
    apart.set(0, Int::from(-count));
    apart.set(before + own, Int::ONE);
    apart.set(before + n + own, Int::from(-1));
    let apart = Constraint { is_equality: false, row: apart };
    let apart = BasicSet::universe(pairs.space().clone()).add_constraints(vec![apart]);
    let budget = Budget::steps(DISJOINT_STEPS);
    match pairs.intersect(&Set::from_basic_set(apart))?.is_empty(&budget) {
        Err(Error::Exceeded { .. }) => Ok(false),
        answer => answer,
    }
}

/// A form over the parameters of `set` and its dimensions from `first` on, named `names`.
pub(crate) fn row(form: &Linear, set: &Set, names: &[Name], first: usize) -> Option<Row> {
    let params = set.space().param_names();
    let mut row = Row::zeros(1 + params.len() + set.n(DimKind::Out));
    row.set(0, form.constant.clone());
    for (name, coefficient) in &form.terms {
        let dimension = names.iter().position(|known| known == name);
        let column = match dimension {
            Some(position) => 1 + params.len() + first + position,
            None => 1 + params.iter().position(|known| known == name)?,
        };
        row.add_at(column, coefficient);
    }
    Some(row)
}
