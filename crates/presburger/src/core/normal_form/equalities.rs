//! Solving the equalities of a system over the integers.
//!
//! The equalities with a unit pivot come first ([`crate::core::normal_form::unit_pivots`]); they are the
//! common case. What remains is solved by Gaussian elimination with these additions:
//!
//! * Several equalities with the same pivot column are first combined by Euclid's algorithm, a
//!   unimodular operation on rows, until one has the column's greatest common divisor.
//! * Several *unknown locals* in one equality are first combined by Euclid's algorithm on
//!   columns: replacing `x` by `x' - q y` is a bijection of the integer values. One unknown `x`
//!   remains, in `g x + e = 0`. If `g = 1` it is replaced everywhere by `-e`. Otherwise it is
//!   the floor `⌊-e/g⌋` and the equality says that `g` divides `e`; everywhere else `x` is
//!   replaced by `-e/g`.
//! * A known floor `l = ⌊n/d⌋` in `a l + e = 0` is handled as if it were unknown after its
//!   definition `0 <= n - d l <= d - 1` has been written out.
//!
//! Locals are eliminated before dimensions wherever an equality has both. A rational elimination
//! is exact here, because all columns, whether kept or not, stay integer by the remaining rows.
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Local;
use crate::core::normal_form::floors::first_asymmetric_sign;
use crate::core::normal_form::inequalities::compare_coefficients;
use crate::core::normal_form::step::Step;
use crate::core::row_order::sort_rows;
use crate::core::space::DimKind;
use loopwright_exact::{Int, Row};

/// A solved equality and its pivot column.
pub(crate) struct Solved {
    pub(crate) row: Row,
    pub(crate) pivot: usize,
}

impl BasicRelation {
    /// Solves the equalities and writes out the floors of unknowns.
    pub(crate) fn solve_equalities(&mut self) -> Step {
        if !self.equalities.is_empty() {
            self.expand_floors_in_equalities();
            if self.eliminate_by_equalities() == Step::Contradiction {
                return Step::Contradiction;
            }
        }
        self.expand_floors_of_unknowns();
        debug_assert!(!self.has_equality_of_unknowns(), "an equality of unknowns is left");
        Step::Stable
    }

    fn has_equality_of_unknowns(&self) -> bool {
        let first = self.offset(DimKind::Local);
        (0..self.locals.len())
            .filter(|&index| self.locals[index].is_unknown())
            .any(|index| self.equalities.iter().any(|row| !row.is_zero_at(first + index)))
    }

    fn eliminate_by_equalities(&mut self) -> Step {
        if self.equalities_are_solved() {
            self.order_equalities();
            return Step::Stable;
        }
        let mut solved: Vec<Solved> = Vec::with_capacity(self.equalities.len());
        if self.solve_unit_equalities(&mut solved) == Step::Contradiction {
            return Step::Contradiction;
        }
        while !self.equalities.is_empty() {
            if !normalize_equalities(&mut self.equalities) {
                return Step::Contradiction;
            }
            let Some((position, pivot)) = self.choose_pivot() else { break };
            let row = self.equalities.remove(position);
            for other in &mut solved {
                other.row.eliminate(pivot, &row);
            }
            self.solve_for(row, pivot, &mut solved);
            if !self.reopen(&mut solved) {
                return Step::Contradiction;
            }
        }
        self.equalities = solved.into_iter().map(|solved| solved.row).collect();
        self.order_equalities();
        Step::Stable
    }

    /// Whether each equality determines its last dimension, which occurs nowhere else.
    fn equalities_are_solved(&self) -> bool {
        let locals = self.locals.iter().filter_map(Local::numerator);
        let others = self.inequalities.iter().chain(locals);
        self.equalities.iter().enumerate().all(|(position, row)| {
            let last = row.last_nonzero(1..row.len());
            let pivot = last.filter(|&last| last < self.offset(DimKind::Local));
            pivot.is_some_and(|pivot| {
                let earlier = self.equalities[..position].iter();
                let mut rest =
                    earlier.chain(&self.equalities[position + 1..]).chain(others.clone());
                row.last_unit(pivot..pivot + 1).is_some() && rest.all(|row| row.is_zero_at(pivot))
            })
        })
    }

    /// Brings solved equalities into the order and the signs of the normal form.
    fn order_equalities(&mut self) {
        for row in &mut self.equalities {
            let last = row.last_nonzero(1..row.len()).expect("a solved equality has a pivot");
            if row.sign(last) < 0 {
                row.negate();
            }
        }
        sort_rows(&mut self.equalities, compare_coefficients);
    }

    /// The position of the next equality to solve and its pivot column, after combining.
    fn choose_pivot(&mut self) -> Option<(usize, usize)> {
        let first = self.offset(DimKind::Local);
        let width = self.n_columns();
        let without_locals = |row: &Row| row.first_nonzero(first..width).is_none();
        if let Some(position) = self.equalities.iter().position(without_locals) {
            let unit = self.unit_pivot(first);
            return Some(unit.unwrap_or_else(|| {
                let column = self.equalities[position].last_nonzero(1..first);
                let column = column.expect("a normalized equality has a coefficient");
                (combine_rows(&mut self.equalities, column, without_locals), column)
            }));
        }
        if let Some(found) = self.unknown_pivot(first) {
            return Some(found);
        }
        let last = self.equalities.iter().filter_map(|row| row.last_nonzero(first..width)).max()?;
        Some((combine_rows(&mut self.equalities, last, |_| true), last))
    }

    /// An equality without locals that has a coefficient 1 or -1, in the last such column.
    fn unit_pivot(&self, first_local: usize) -> Option<(usize, usize)> {
        let mut best: Option<(usize, usize)> = None;
        for (position, row) in self.equalities.iter().enumerate() {
            if row.first_nonzero(first_local..row.len()).is_some() {
                continue;
            }
            if let Some(column) = row.last_unit(1..first_local)
                && best.is_none_or(|(_, best)| column > best)
            {
                best = Some((position, column));
            }
        }
        best
    }

    /// The first equality with unknown locals, after combining those into one.
    fn unknown_pivot(&mut self, first: usize) -> Option<(usize, usize)> {
        let unknowns: Vec<usize> = (first..self.n_columns())
            .filter(|&column| self.locals[column - first].is_unknown())
            .collect();
        let position = self
            .equalities
            .iter()
            .position(|row| unknowns.iter().any(|&column| !row.is_zero_at(column)))?;
        loop {
            let row = &self.equalities[position];
            let present = unknowns.iter().copied().filter(|&column| !row.is_zero_at(column));
            let mut present: Vec<usize> = present.collect();
            present.sort_by_key(|&column| row.get(column).abs());
            let (smallest, others) = present.split_first().expect("the row has an unknown");
            if others.is_empty() {
                return Some((position, *smallest));
            }
            let divisor = row.get(*smallest);
            let shares: Vec<(usize, Int)> = others
                .iter()
                .map(|&column| (column, -row.get(column).div_floor(&divisor)))
                .collect();
            for (column, factor) in shares {
                self.add_column(column, &factor, *smallest);
            }
        }
    }

    /// Adds a multiple of one column to another, in every row.
    fn add_column(&mut self, target: usize, factor: &Int, source: usize) {
        for row in self.rows_mut() {
            if !row.is_zero_at(source) {
                let share = factor * &row.get(source);
                row.add_at(target, &share);
            }
        }
    }

    /// Uses `row` to remove its pivot from the rest of the system.
    fn solve_for(&mut self, row: Row, pivot: usize, solved: &mut Vec<Solved>) {
        let first = self.offset(DimKind::Local);
        if pivot < first {
            self.substitute(pivot, &row);
            solved.push(Solved { row, pivot });
            return;
        }
        let index = pivot - first;
        if !defines_floor(&row, pivot, &self.locals[index]) {
            self.expand_floor(index);
        }
        self.locals[index] = Local::Unknown;
        self.substitute(pivot, &row);
        let factor = row.get(pivot);
        if factor.abs().is_one() {
            return self.sort_locals(solved);
        }
        let congruence = congruence_floor(row, pivot);
        let denominator = factor.abs();
        let mut row = congruence.clone();
        row.set(pivot, -&denominator);
        self.locals[index] = Local::Floor { numerator: congruence, denominator };
        solved.push(Solved { row, pivot });
        self.sort_locals(solved);
    }

    /// Sorts the locals so that floors follow what they use, also in the solved equalities.
    pub(crate) fn sort_locals(&mut self, solved: &mut [Solved]) {
        let Some(order) = self.sorted_order() else { return };
        let first = self.offset(DimKind::Local);
        let mut place: Vec<usize> = (0..self.n_columns()).collect();
        for (new, &old) in order.iter().enumerate() {
            place[first + old] = first + new;
        }
        let width = place.len();
        for solved in solved {
            solved.row = solved.row.placed(&place, width);
            solved.pivot = place[solved.pivot];
        }
        self.reorder_locals(&order);
    }

    /// Removes `column` from constraints and numerators by means of `row`, which is zero.
    ///
    /// With `row = a c + e` and `a > 0`, the fraction `(b c + r) / d` is `(a r - b e) / (a d)`.
    pub(crate) fn substitute(&mut self, column: usize, row: &Row) {
        for other in self.equalities.iter_mut().chain(&mut self.inequalities) {
            other.eliminate(column, row);
        }
        for local in &mut self.locals {
            if let Local::Floor { numerator, denominator } = local
                && !numerator.is_zero_at(column)
            {
                let pivot = row.get(column);
                let divisor = pivot.gcd(&numerator.get(column));
                let scale = pivot.abs().div_exact(&divisor);
                let mut factor = numerator.get(column).div_exact(&divisor);
                if pivot.is_positive() {
                    factor = -factor;
                }
                numerator.combine(&scale, &factor, row);
                *denominator = &*denominator * &scale;
            }
        }
    }

    /// Hands back the solved equalities that became solvable for their local itself, and tells
    /// whether the others can still hold.
    fn reopen(&mut self, solved: &mut Vec<Solved>) -> bool {
        let first = self.offset(DimKind::Local);
        let mut position = 0;
        while position < solved.len() {
            let Solved { row, pivot } = &mut solved[position];
            if !normalize_equality(row) {
                return false;
            }
            if *pivot >= first && row.get(*pivot).abs().is_one() {
                self.equalities.push(solved.remove(position).row);
            } else {
                position += 1;
            }
        }
        true
    }
}

/// The numerator `±e` of the floor that solves `a l + e = 0`.
///
/// The sign of `l`, which occurs nowhere else, is free: it is chosen so that the floor is
/// canonical without a change of sign.
fn congruence_floor(mut row: Row, pivot: usize) -> Row {
    let denominator = row.get(pivot).abs();
    row.set(pivot, Int::ZERO);
    if first_asymmetric_sign(&row, &denominator) < 0 {
        row.negate();
    }
    row
}

/// Whether `row` is a multiple of `numerator - denominator * column` of the floor.
fn defines_floor(row: &Row, column: usize, local: &Local) -> bool {
    let Local::Floor { numerator, denominator } = local else { return false };
    let mut definition = numerator.clone();
    definition.set(column, -denominator);
    definition.eliminate(column, row);
    definition.is_zero()
}

/// Combines the eligible rows until only one is not zero in the column; its position.
fn combine_rows(rows: &mut [Row], column: usize, eligible: impl Fn(&Row) -> bool) -> usize {
    let candidates: Vec<usize> = (0..rows.len())
        .filter(|&position| !rows[position].is_zero_at(column) && eligible(&rows[position]))
        .collect();
    loop {
        let present = candidates.iter().copied().filter(|&i| !rows[i].is_zero_at(column));
        let present: Vec<usize> = present.collect();
        let smallest = present.iter().copied().min_by_key(|&i| rows[i].get(column).abs());
        let smallest = smallest.expect("some row has the pivot column");
        if present.len() == 1 {
            return smallest;
        }
        let pivot = rows[smallest].clone();
        for position in present.into_iter().filter(|&position| position != smallest) {
            let quotient = rows[position].get(column).div_floor(&pivot.get(column));
            rows[position].add_scaled(&-quotient, &pivot);
        }
    }
}

/// Divides every row by its divisor and drops `0 = 0`; false if one cannot hold.
fn normalize_equalities(rows: &mut Vec<Row>) -> bool {
    let mut feasible = true;
    rows.retain_mut(|row| {
        feasible &= normalize_equality(row);
        row.first_nonzero(1..row.len()).is_some()
    });
    feasible
}

/// Divides by the divisor of the coefficients; false if the constant is not divisible.
pub(crate) fn normalize_equality(row: &mut Row) -> bool {
    let divisor = row.gcd(1..row.len());
    if divisor.is_zero() {
        return row.is_zero_at(0);
    }
    if divisor.is_one() {
        return true;
    }
    if !row.get(0).is_divisible_by(&divisor) {
        return false;
    }
    row.div_exact(&divisor);
    true
}
