//! Steps from vertex to vertex: a constraint is made to hold, a row as small as it gets.
//!
//! # Termination
//! Bland's rule (*New finite pivoting rules for the simplex method*, Math. Oper. Res. 2, 1977):
//! among the columns that improve the objective take the one with the least unknown, among the
//! rows that limit the step equally the one with the least unknown. No vertex basis repeats then.
//! Columns of unrestricted unknowns are taken first; such an unknown moves into a row and never
//! leaves it in a ratio test, so that happens at most once per variable.
use super::{Place, Tableau};
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::solve::pivot::{HEAD, delete_element, pivot_rows};
use loopwright_exact::{Int, Row};

/// When minimizing stops.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// At the minimum.
    Minimum,
    /// At a value less than 0, or at the minimum.
    BelowZero,
    /// At a value of at most -1, or at the minimum.
    MinusOne,
}

impl Goal {
    /// Whether the value of a row is far enough down.
    pub(super) fn is_reached(self, row: &Row) -> bool {
        match self {
            Goal::Minimum => false,
            Goal::BelowZero => row.sign(1) < 0,
            Goal::MinusOne => row.sign(1) < 0 && row.get(1) <= -row.get(0),
        }
    }
}

/// How a step of the objective ends.
pub(super) enum Step {
    /// No column improves the objective.
    Optimal,
    /// The objective improves without limit.
    Unbounded,
    Moved,
}

impl Tableau {
    /// Removes a row; the last one takes its place.
    pub(super) fn remove_row(&mut self, row: usize) {
        self.rows.swap_remove(row);
        self.row_unknowns.swap_remove(row);
        if let Some(&moved) = self.row_unknowns.get(row) {
            self.unknowns[moved].place = Place::Row(row);
        }
    }

    /// Deletes the column of an unknown that is zero; the last one takes its place.
    pub(super) fn delete_column(&mut self, column: usize) {
        delete_element(&mut self.rows, HEAD + column);
        let unknown = self.column_unknowns.swap_remove(column);
        self.unknowns[unknown].place = Place::Fixed;
        if let Some(&moved) = self.column_unknowns.get(column) {
            self.unknowns[moved].place = Place::Column(column);
        }
    }

    /// Makes an unknown that is zero at the sample zero everywhere.
    pub(super) fn fix_at_zero(&mut self, unknown: usize, budget: &Budget) -> Result<()> {
        if self.empty {
            return Ok(());
        }
        match self.unknowns[unknown].place {
            Place::Column(column) => self.delete_column(column),
            Place::Row(row) => {
                debug_assert_eq!(self.rows[row].sign(1), 0, "the unknown is not zero");
                match self.column_for_equality(row) {
                    None => {
                        self.remove_row(row);
                        self.unknowns[unknown].place = Place::Fixed;
                    }
                    Some(column) => {
                        // The value is zero, so the sample does not move.
                        self.pivot(row, column, budget)?;
                        self.delete_column(column);
                    }
                }
            }
            Place::Fixed | Place::Removed => {}
        }
        Ok(())
    }

    /// A column with a coefficient in the row; one of an unrestricted unknown if possible, which
    /// thereby leaves the columns, and with a unit coefficient if possible.
    pub(super) fn column_for_equality(&self, row: usize) -> Option<usize> {
        let row = &self.rows[row];
        (0..self.column_unknowns.len()).filter(|&j| !row.is_zero_at(HEAD + j)).min_by_key(|&j| {
            let unknown = self.column_unknowns[j];
            (self.unknowns[unknown].restricted, row.get(HEAD + j).abs(), unknown)
        })
    }

    /// Increases a row until it is not negative; if that is impossible, the tableau is empty.
    pub(super) fn restore(&mut self, row: usize, budget: &Budget) -> Result<()> {
        let unknown = self.row_unknowns[row];
        while let Place::Row(row) = self.unknowns[unknown].place
            && self.rows[row].sign(1) < 0
        {
            let Some((column, direction)) = self.improving_column(row, 1) else {
                self.empty = true;
                return Ok(());
            };
            // The row itself limits the step: at zero it has reached its goal.
            let limit = self.limiting_row(column, direction, row, true);
            let limit = limit.expect("the row itself limits the step");
            self.pivot(limit, column, budget)?;
        }
        Ok(())
    }

    /// Decreases a row until it has reached the goal (`Moved`), is minimal, or unbounded.
    pub(super) fn minimize(&mut self, row: usize, goal: Goal, budget: &Budget) -> Result<Step> {
        loop {
            if goal.is_reached(&self.rows[row]) {
                return Ok(Step::Moved);
            }
            match self.step(row, -1, budget)? {
                Step::Moved => {}
                end => return Ok(end),
            }
        }
    }

    /// One pivot that moves the row, which stays a row, into a direction.
    pub(super) fn step(&mut self, row: usize, sense: i32, budget: &Budget) -> Result<Step> {
        let Some((column, direction)) = self.improving_column(row, sense) else {
            return Ok(Step::Optimal);
        };
        let Some(limit) = self.limiting_row(column, direction, row, false) else {
            return Ok(Step::Unbounded);
        };
        self.pivot(limit, column, budget)?;
        Ok(Step::Moved)
    }

    /// A column, and the direction in which its unknown may move, such that the row increases
    /// (`sense` 1) or decreases (-1): unrestricted unknowns first, then the least unknown.
    pub(super) fn improving_column(&self, row: usize, sense: i32) -> Option<(usize, i32)> {
        let mut best: Option<(bool, usize, usize, i32)> = None;
        for (column, &unknown) in self.column_unknowns.iter().enumerate() {
            let direction = self.rows[row].sign(HEAD + column) * sense;
            let restricted = self.unknowns[unknown].restricted;
            if direction == 0 || (direction < 0 && restricted) {
                continue;
            }
            if best.is_none_or(|(r, u, ..)| (restricted, unknown) < (r, u)) {
                best = Some((restricted, unknown, column, direction));
            }
        }
        best.map(|(_, _, column, direction)| (column, direction))
    }

    /// The restricted row that first becomes negative when the column moves in the direction; with
    /// `include` the row `target` counts, too, with the step at which it becomes zero.
    pub(super) fn limiting_row(
        &self,
        column: usize,
        direction: i32,
        target: usize,
        include: bool,
    ) -> Option<usize> {
        let mut best: Option<(usize, Int, Int)> = None;
        for (i, row) in self.rows.iter().enumerate() {
            let sign = row.sign(HEAD + column) * direction;
            let counts = if i == target {
                include
            } else {
                sign < 0 && self.unknowns[self.row_unknowns[i]].restricted
            };
            if !counts {
                continue;
            }
            // The step is constant / |coefficient|: the denominator cancels.
            let (constant, coefficient) = (row.get(1).abs(), row.get(HEAD + column).abs());
            let better = match &best {
                None => true,
                Some((j, c, a)) => match (&constant * a).cmp(&(c * &coefficient)) {
                    std::cmp::Ordering::Less => true,
                    // Reaching the goal ends the phase; otherwise Bland's rule.
                    std::cmp::Ordering::Equal => {
                        i == target
                            || (*j != target && self.row_unknowns[i] < self.row_unknowns[*j])
                    }
                    std::cmp::Ordering::Greater => false,
                },
            };
            if better {
                best = Some((i, constant, coefficient));
            }
        }
        best.map(|(i, ..)| i)
    }

    /// Moves an unknown into a row, by a step of the unknown in `direction` (none if it is in a
    /// row already). None if no restricted row limits that step.
    pub(super) fn move_to_row(
        &mut self,
        unknown: usize,
        direction: i32,
        budget: &Budget,
    ) -> Result<Option<usize>> {
        let column = match self.unknowns[unknown].place {
            Place::Row(row) => return Ok(Some(row)),
            Place::Column(column) => column,
            Place::Fixed | Place::Removed => return Ok(None),
        };
        let no_target = usize::MAX;
        let Some(limit) = self.limiting_row(column, direction, no_target, false) else {
            return Ok(None);
        };
        self.pivot(limit, column, budget)?;
        Ok(Some(limit))
    }

    /// Exchanges the unknowns of a row and a column.
    pub(super) fn pivot(&mut self, row: usize, column: usize, budget: &Budget) -> Result<()> {
        budget.spend(self.rows.len() as u64, "simplex")?;
        pivot_rows(&mut self.rows, row, HEAD + column, |_, _| {});
        let (entering, leaving) = (self.column_unknowns[column], self.row_unknowns[row]);
        self.column_unknowns[column] = leaving;
        self.row_unknowns[row] = entering;
        self.unknowns[entering].place = Place::Row(row);
        self.unknowns[leaving].place = Place::Column(column);
        Ok(())
    }
}
