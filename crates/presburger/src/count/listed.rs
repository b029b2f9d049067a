//! Existentials of few values, listed.
//!
//! Eliminating existentials by parametric minima distinguishes cases that may be many more than the values
//! which they take: `exists a, b, c : 0 <= a <= 5 and 0 <= b <= 4 and 0 <= c <= 3 and x = 6a + 10b + 15c` has 120.
//! Then a piece is the union of those for each combination of values.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::{BasicRelation, floor_inequalities};
use crate::core::budget::Budget;
use crate::core::constraint::{Constraint, Local};
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Tuple;
use crate::solve::optimum::Optimum;
use loopwright_exact::{Int, Row};

/// More combinations are not listed.
const MOST_COMBINATIONS: u64 = 1024;

/// The same points with explicit locals only, by the values of the existentials; none if these are not
/// bounded by constants, or too many.
///
/// # Errors
/// The budget is exceeded.
pub(super) fn listed_existentials(map: &Map, budget: &Budget) -> Result<Option<Map>> {
    let mut pieces = Vec::new();
    for basic in &map.basics {
        match listed(basic, budget)? {
            Some(found) => pieces.extend(found),
            None => return Ok(None),
        }
    }
    Ok(Some(Map::from_basic_maps(map.space.clone(), pieces)))
}

fn listed(basic: &BasicMap, budget: &Budget) -> Result<Option<Vec<BasicMap>>> {
    let data = &basic.inner;
    let first = data.offset(DimKind::Local);
    let unknown: Vec<usize> = (0..data.locals.len())
        .filter(|&index| matches!(data.locals[index], Local::Unknown))
        .map(|index| first + index)
        .collect();
    let lifted = over_all_columns(data);
    let mut partial = vec![BasicRelation::clone(data)];
    let mut n_combinations = 1_u64;
    for column in unknown.into_iter().rev() {
        let least = lifted.dim_min_val(DimKind::Out, column - 1, budget)?;
        let most = lifted.dim_max_val(DimKind::Out, column - 1, budget)?;
        let (least, most) = match (least, most) {
            (Optimum::At(least), Optimum::At(most)) => (least, most),
            (Optimum::Empty, _) | (_, Optimum::Empty) => return Ok(Some(Vec::new())),
            _ => return Ok(None),
        };
        let n_values = (&most - &least).to_i64().map_or(u64::MAX, |n| n.unsigned_abs() + 1);
        n_combinations = n_combinations.saturating_mul(n_values);
        if n_combinations > MOST_COMBINATIONS {
            return Ok(None);
        }
        partial = at_values(&partial, column, (least, n_values), budget)?;
    }
    Ok(Some(partial.into_iter().map(BasicMap::from_data).collect()))
}

/// The pieces with the last unknown local at each of its values.
fn at_values(
    pieces: &[BasicRelation],
    column: usize,
    (least, n_values): (Int, u64),
    budget: &Budget,
) -> Result<Vec<BasicRelation>> {
    let mut fixed = Vec::with_capacity(pieces.len() * n_values as usize);
    for piece in pieces {
        let mut value = least.clone();
        for _ in 0..n_values {
            budget.spend(piece.work(), "the values of existentials")?;
            let at = at_value(piece, column, &value);
            let is_empty = BasicMap::from_data(at.clone()).plain_is_empty();
            fixed.extend((!is_empty).then_some(at));
            value = &value + &Int::ONE;
        }
    }
    Ok(fixed)
}

/// The piece with a local at a value, without the local.
fn at_value(piece: &BasicRelation, column: usize, value: &Int) -> BasicRelation {
    let mut place: Vec<usize> = (0..piece.n_columns()).collect();
    place[column] = 0;
    place[column + 1..].iter_mut().for_each(|place| *place -= 1);
    let width = piece.n_columns() - 1;
    let row = |row: &Row| {
        let mut row = row.clone();
        let factor = row.get(column);
        row.add_at(0, &(&factor * value));
        row.set(column, Int::ZERO);
        row.placed(&place, width)
    };
    let kept = |(index, _): &(usize, &Local)| piece.offset(DimKind::Local) + index != column;
    let locals = piece.locals.iter().enumerate().filter(kept).map(|(_, local)| match local {
        Local::Floor { numerator, denominator } => {
            Local::Floor { numerator: row(numerator), denominator: denominator.clone() }
        }
        Local::Unknown => Local::Unknown,
    });
    let mut at = BasicRelation::new(piece.space.clone(), locals.collect());
    at.equalities = piece.equalities.iter().map(row).collect();
    at.inequalities = piece.inequalities.iter().map(row).collect();
    at.empty = piece.empty;
    at
}

/// The set of all columns but the constant as dimensions.
fn over_all_columns(data: &BasicRelation) -> Set {
    let space = Space::set(&[], Tuple::anonymous(data.n_columns() - 1));
    let equalities = data.equalities.iter().cloned().map(Constraint::equality);
    let inequalities = data.inequalities.iter().cloned().chain(floor_inequalities(data));
    let constraints = equalities.chain(inequalities.map(Constraint::inequality)).collect();
    Set(Map::from_basic_map(BasicMap::from_constraints(space, Vec::new(), constraints)))
}
