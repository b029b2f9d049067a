//! The equalities that determine one of their columns, solved in a single pass.
//!
//! Nearly every equality has a coefficient 1 or -1 at a dimension or at an unknown, `x = -e`, and
//! most come from systems that were solved before. Each of them is touched once: the pivots found
//! so far are removed from it, its divisor is taken out, and its own pivot is chosen. The pivots
//! are then removed from one another from the last to the first, and at last from all other rows.
//! Because the coefficient of a pivot is 1 or -1, a row is never scaled, and fractions keep their
//! denominators.
//!
//! An equality `n - d l = 0` with `l = ⌊n/d⌋`, where `l` occurs nowhere else, states that `d` divides
//! `n`. It is solved as it is.
//!
//! What remains is left to the general method ([`crate::core::normal_form::equalities`]).
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Local;
use crate::core::normal_form::equalities::{Solved, normalize_equality};
use crate::core::normal_form::floors::is_canonical;
use crate::core::normal_form::step::Step;
use crate::core::space::DimKind;
use loopwright_exact::{Int, Row};
use std::cmp::Reverse;

impl BasicRelation {
    /// Solves the equalities with a unit pivot and those that are congruences. The solved ones move
    /// to `solved`, except for those of unknowns, which serve no other purpose; the others stay.
    pub(crate) fn solve_unit_equalities(&mut self, solved: &mut Vec<Solved>) -> Step {
        let first = self.offset(DimKind::Local);
        let mut rows = std::mem::take(&mut self.equalities);
        sort_by_unit_pivots(&mut rows, first);
        let mut units: Vec<Solved> = Vec::with_capacity(rows.len());
        for mut row in rows {
            remove_pivots(&mut row, &units);
            if !normalize_equality(&mut row) {
                return Step::Contradiction;
            }
            match self.unit_pivot_of(&row) {
                Some(pivot) => units.push(Solved { row, pivot }),
                None if row.is_zero() => {}
                None => self.equalities.push(row),
            }
        }
        for position in (0..units.len().saturating_sub(1)).rev() {
            let (earlier, later) = units.split_at_mut(position + 1);
            remove_pivots(&mut earlier[position].row, later);
        }
        self.rows_mut().for_each(|row| remove_pivots(row, &units));
        let n_units = units.len();
        // Nearly in the order of the normal form.
        solved.extend(units.into_iter().rev().filter(|unit| unit.pivot < first));
        if solved.len() < n_units {
            self.sort_locals(solved);
        }
        self.accept_congruences(solved);
        Step::Stable
    }

    /// The last unknown with coefficient 1 or -1; in a row without locals the last dimension.
    fn unit_pivot_of(&self, row: &Row) -> Option<usize> {
        let first = self.offset(DimKind::Local);
        if row.first_nonzero(first..row.len()).is_none() {
            return row.last_unit(1..first);
        }
        let is_unit = |column: usize| row.last_unit(column..column + 1).is_some();
        (first..row.len())
            .rev()
            .find(|&column| is_unit(column) && self.locals[column - first].is_unknown())
    }

    /// Moves the congruences whose local occurs nowhere else to the solved equalities.
    fn accept_congruences(&mut self, solved: &mut Vec<Solved>) {
        let mut position = 0;
        while position < self.equalities.len() {
            match self.congruence_pivot(position) {
                Some(pivot) => {
                    let row = self.equalities.swap_remove(position);
                    solved.push(Solved { row, pivot });
                }
                None => position += 1,
            }
        }
    }

    /// The column of the local if an equality is `n - d l = 0` with a canonical `l = ⌊n/d⌋` over
    /// dimensions that occurs nowhere else.
    fn congruence_pivot(&self, position: usize) -> Option<usize> {
        let first = self.offset(DimKind::Local);
        let row = &self.equalities[position];
        let pivot = row.first_nonzero(first..row.len())?;
        let Local::Floor { numerator, denominator } = &self.locals[pivot - first] else {
            return None;
        };
        let factor = row.get(pivot);
        let sign = Int::from(-factor.signum());
        let is_definition = factor.abs() == *denominator
            && numerator.first_nonzero(first..row.len()).is_none()
            && (0..row.len()).all(|c| c == pivot || row.get(c) == &numerator.get(c) * &sign)
            && is_canonical(numerator, denominator);
        let is_used = |row: &Row| !row.is_zero_at(pivot);
        let is_alone = || {
            let mut others = self.equalities.iter().enumerate().filter(|(i, _)| *i != position);
            !others.any(|(_, row)| is_used(row))
                && !self.inequalities.iter().any(is_used)
                && !self.locals.iter().filter_map(Local::numerator).any(is_used)
        };
        (is_definition && is_alone()).then_some(pivot)
    }
}

/// Brings the rows without locals to the front, those with late unit pivots first.
fn sort_by_unit_pivots(rows: &mut [Row], first_local: usize) {
    rows.sort_by_cached_key(|row| match row.first_nonzero(first_local..row.len()) {
        None => Reverse(row.last_unit(1..first_local).unwrap_or(0)),
        Some(_) => Reverse(0),
    });
}

/// Adds multiples of the solved rows, whose pivots are 1 or -1, such that the pivots vanish.
fn remove_pivots(row: &mut Row, units: &[Solved]) {
    for unit in units {
        if !row.is_zero_at(unit.pivot) {
            let factor = row.get(unit.pivot);
            let factor = if unit.row.sign(unit.pivot) > 0 { -factor } else { factor };
            row.add_scaled(&factor, &unit.row);
        }
    }
}
