//! The equalities that hold at all integer points of a system.
//!
//! # Method
//! Variables with unit coefficients in equalities are substituted; what is left is a system of
//! inequalities in fewer variables `t`, which is decided by the first of these that applies:
//!
//! 1. There is an integer point `t` such that all `t + e_j` satisfy the inequalities, too: no
//!    further equality holds. Such a point is a point of the system with shifted constants.
//! 2. The simplex method finds inequalities that are zero at all rational points. These are
//!    equalities; with them the method starts again in fewer variables.
//! 3. Points are collected. The forms that vanish at all of them are kept as a basis, which every
//!    new point makes smaller by one elimination. For each form of the basis a point where it is
//!    positive, or negative, is asked for: that is a new point, or the form is one of the
//!    equalities. So there are at most as many questions as variables and twice as many as
//!    equalities that hold at integer points only.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::solve::elimination::integer_solutions;
use crate::solve::point_search::PointSearch;
use crate::solve::simplex::{ConstraintId, Tableau};
use crate::solve::system::System;
use loopwright_exact::{Int, Row};

/// The work for a point with neighbours in all directions before other ways are tried.
const ROOM: u64 = 20_000;

/// What is found out about a system of inequalities.
enum Finding {
    /// There is no point.
    Empty,
    /// These inequalities are zero at all points; there may be more equalities.
    Implicit(Vec<Row>),
    /// All equalities.
    Complete(Vec<Row>),
}

/// Equalities over the columns of a system whose integer solutions are the smallest coset
/// `{ x : A x = b }` that contains all its integer points; none if there is no point.
///
/// # Errors
/// The budget is exceeded.
pub(crate) fn hull_equalities(mut system: System, budget: &Budget) -> Result<Option<Vec<Row>>> {
    let mut found = system.equalities.clone();
    loop {
        if system.solve_units(&mut found).is_err() {
            return Ok(None);
        }
        let live = system.live_columns();
        let place: Vec<usize> = std::iter::once(0).chain(live.iter().copied()).collect();
        let in_place = |row: Row| row.placed(&place, system.width);
        let small = system.restrict(&live);
        let finding = match small.equalities.is_empty() {
            true => equalities_of_inequalities(small, budget)?,
            false => by_solutions(&small, budget)?.map_or(Finding::Empty, Finding::Complete),
        };
        match finding {
            Finding::Empty => return Ok(None),
            Finding::Complete(rows) => {
                found.extend(rows.into_iter().map(in_place));
                return Ok(Some(found));
            }
            Finding::Implicit(rows) => {
                system.equalities = rows.into_iter().map(in_place).collect();
                found.extend_from_slice(&system.equalities);
            }
        }
    }
}

/// The equalities of a system with equalities without unit coefficients: those of the system in
/// the coordinates of their solutions, and back.
fn by_solutions(system: &System, budget: &Budget) -> Result<Option<Vec<Row>>> {
    let Some(change) = integer_solutions(&system.equalities, system.width) else { return Ok(None) };
    let inner = system.change(&change);
    let width = inner.width;
    let Some(rows) = hull_equalities(inner, budget)? else { return Ok(None) };
    let points = match rows.is_empty() {
        true => change,
        false => integer_solutions(&rows, width).expect("there is a point").mul(&change),
    };
    Ok(Some(points.nullspace().into_rows()))
}

fn equalities_of_inequalities(system: System, budget: &Budget) -> Result<Finding> {
    if system.inequalities.is_empty()
        || budget.attempt(ROOM, |b| has_room(&system, b))? == Some(true)
    {
        return Ok(Finding::Complete(Vec::new()));
    }
    let mut tableau = Tableau::new(system.width - 1);
    let mut ids: Vec<ConstraintId> = Vec::with_capacity(system.inequalities.len());
    for row in &system.inequalities {
        ids.push(tableau.add_inequality(row, budget)?);
    }
    if tableau.is_empty() {
        return Ok(Finding::Empty);
    }
    let mut implicit = Vec::new();
    for (id, row) in ids.into_iter().zip(&system.inequalities) {
        if tableau.fix_if_always_zero(id, budget)? {
            implicit.push(row.clone());
        }
    }
    if !implicit.is_empty() {
        return Ok(Finding::Implicit(implicit));
    }
    let found = by_points(PointSearch::with_tableau(system.clone(), tableau), &system, budget)?;
    Ok(found.map_or(Finding::Empty, Finding::Complete))
}

/// Whether there is a point `t` such that `t + e_j` is in the system for all `j`.
fn has_room(system: &System, budget: &Budget) -> Result<bool> {
    let inner = room(system.width, &system.inequalities);
    Ok(inner.guess_point(0, inner.width, |_| {}).is_some() || inner.find_point(budget)?.is_some())
}

/// Whether such a point is easily found.
pub(crate) fn has_plain_room(width: usize, inequalities: &[Row]) -> bool {
    room(width, inequalities).guess_point(0, width, |_| {}).is_some()
}

/// The points `t` such that all `t + e_j` satisfy the inequalities.
fn room(width: usize, inequalities: &[Row]) -> System {
    let mut inequalities = inequalities.to_vec();
    for row in &mut inequalities {
        let least = (1..row.len()).map(|column| row.get(column)).min().unwrap_or_default();
        if least.is_negative() {
            row.add_at(0, &least);
        }
    }
    System::new(width, Vec::new(), inequalities)
}

/// Step 3 of the method.
fn by_points(
    mut search: PointSearch,
    system: &System,
    budget: &Budget,
) -> Result<Option<Vec<Row>>> {
    let Some(sample) = search.point(budget)?.cloned() else { return Ok(None) };
    let mut forms = vanishing_at(&sample);
    neighbours(system, &sample).for_each(|point| keep_vanishing(&mut forms, &point));
    let mut equalities = Vec::new();
    while let Some(form) = forms.pop() {
        match point_beside(&mut search, &form, budget)? {
            Some(point) => {
                forms.push(form);
                keep_vanishing(&mut forms, &point);
            }
            None => {
                search.add_equality(form.clone(), budget)?;
                equalities.push(form);
            }
        }
    }
    Ok(Some(equalities))
}

/// A basis of the forms that vanish at a point.
fn vanishing_at(point: &Row) -> Vec<Row> {
    let form = |column| {
        let mut form = Row::unit(point.len(), column);
        form.set(0, -point.get(column));
        form
    };
    (1..point.len()).map(form).collect()
}

/// Turns a basis of forms into one of those of their combinations that vanish at a point.
fn keep_vanishing(forms: &mut Vec<Row>, point: &Row) {
    let Some(position) = forms.iter().position(|form| !form.dot(point).is_zero()) else { return };
    let pivot = forms.swap_remove(position);
    let pivot_value = pivot.dot(point);
    for form in forms {
        let value = form.dot(point);
        if !value.is_zero() {
            form.combine_reduced(&pivot_value, &-value, &pivot);
        }
    }
}

/// The points of the system that differ from one of them by one in one coordinate, at most one
/// for each coordinate.
fn neighbours<'a>(system: &'a System, sample: &'a Row) -> impl Iterator<Item = Row> + 'a {
    (1..sample.len()).filter_map(move |column| {
        [Int::ONE, Int::MINUS_ONE].into_iter().find_map(|step| {
            let mut point = sample.clone();
            point.add_at(column, &step);
            system.contains(&point).then_some(point)
        })
    })
}

/// A point at which the form is not zero.
fn point_beside(search: &mut PointSearch, form: &Row, budget: &Budget) -> Result<Option<Row>> {
    for sign in [Int::ONE, Int::MINUS_ONE] {
        let mut row = form.clone();
        row.scale(&sign);
        row.add_at(0, &Int::MINUS_ONE);
        if let Some(point) = search.point_beyond(&row, budget)? {
            return Ok(Some(point.clone()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_rows::Generator;
    use loopwright_exact::Matrix;

    const HALF: i64 = 3;

    /// A system over three variables in a box that is flat in most cases, and its points.
    fn random_system(generator: &mut Generator) -> (System, Vec<Row>) {
        let mut inequalities = Vec::new();
        for column in 1..4 {
            for sign in [1, -1] {
                let mut row = Row::zeros(4);
                row.set(0, Int::from(HALF));
                row.set(column, Int::from(sign));
                inequalities.push(row);
            }
        }
        for _ in 0..1 + generator.below(2) {
            let row = generator.row(4, 3, 4);
            let mut opposite = row.clone();
            opposite.negate();
            opposite.add_at(0, &Int::from(generator.below(3)));
            inequalities.extend([row, opposite]);
        }
        let n_equalities = generator.below(2);
        let equalities = (0..n_equalities).map(|_| generator.row(4, 3, 2)).collect();
        let system = System::new(4, equalities, inequalities);
        let side = -HALF..=HALF;
        let mut points = Vec::new();
        for x in side.clone() {
            for y in side.clone() {
                points.extend(side.clone().map(|z| Row::from_i64s(&[1, x, y, z])));
            }
        }
        points.retain(|point| system.contains(point));
        (system, points)
    }

    #[test]
    fn equalities_have_the_rank_that_enumeration_gives() {
        let mut generator = Generator::new(31);
        let mut dimensions = [0; 5];
        for _ in 0..600 {
            let (system, points) = random_system(&mut generator);
            let found = hull_equalities(system.clone(), &Budget::unlimited()).unwrap();
            let Some(found) = found else {
                assert!(points.is_empty(), "{system:?}");
                continue;
            };
            let all_vanish = found.iter().all(|row| points.iter().all(|p| row.dot(p).is_zero()));
            assert!(all_vanish, "{found:?} {system:?}");
            let rank = Matrix::new(points, 4).rank();
            assert_eq!(4 - Matrix::new(found, 4).rank(), rank, "{system:?}");
            dimensions[rank] += 1;
        }
        assert!(dimensions[1..].iter().all(|count| *count > 10), "{dimensions:?}");
    }
}
