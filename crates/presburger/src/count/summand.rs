//! A polynomial over a polyhedron, to be summed over some of its columns.
//!
//! # Columns
//! Rows are `[constant | outer | floors | variables]`. The sum is a function of the outer columns. The
//! floors are integer parts of the columns before them. Variables are summed over; some are
//! known to be the integer part of an expression of others, which is a definition beside the two
//! inequalities that say the same.
use crate::core::basic_relation::floor_bounds;
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::Result;
use crate::polynomials::sparse::Polynomial;
use crate::solve::simplex::Tableau;
use crate::solve::system::System;
use loopwright_exact::{Int, Row};

/// The integer part of `numerator / denominator`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Floor {
    pub(super) numerator: Row,
    pub(super) denominator: Int,
}

/// What is summed over the variables.
#[derive(Clone, Debug)]
pub(super) struct Summand {
    /// The first column after the outer ones.
    pub(super) first_floor: usize,
    /// The floors of outer columns; the numerators have the columns before the floor.
    pub(super) floors: Vec<Floor>,
    /// The variables; a definition has all columns.
    pub(super) variables: Vec<Option<Floor>>,
    pub(super) equalities: Vec<Row>,
    pub(super) inequalities: Vec<Row>,
    /// Rows that are no constraints, and follow the columns as these do.
    pub(super) carried: Vec<Row>,
    pub(super) weight: Polynomial,
    /// Whether it is one of several parts, whose sum is wanted.
    pub(super) is_part: bool,
}

/// No point satisfies the constraints.
pub(super) struct Nothing;

impl Summand {
    /// The first column of the variables.
    pub(super) fn first_variable(&self) -> usize {
        self.first_floor + self.floors.len()
    }

    /// The number of columns.
    pub(super) fn width(&self) -> usize {
        self.first_variable() + self.variables.len()
    }

    /// The columns of the variables.
    pub(super) fn columns(&self) -> std::ops::Range<usize> {
        self.first_variable()..self.width()
    }

    /// The definition of the variable in a column.
    pub(super) fn definition(&self, column: usize) -> Option<&Floor> {
        self.variables[column - self.first_variable()].as_ref()
    }

    /// The rows of constraints and definitions, and those that are carried along.
    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut Row> {
        let definitions = self.variables.iter_mut().flatten().map(|floor| &mut floor.numerator);
        let constraints = self.equalities.iter_mut().chain(&mut self.inequalities);
        constraints.chain(&mut self.carried).chain(definitions)
    }

    /// Whether a row has no variable.
    pub(super) fn is_fixed(&self, row: &Row) -> bool {
        row.first_nonzero(self.columns()).is_none()
    }

    /// Forgets the definition of a variable, which stays with its inequalities.
    pub(super) fn forget(&mut self, column: usize) {
        let first = self.first_variable();
        self.variables[column - first] = None;
    }

    /// One more variable, the last one.
    pub(super) fn push_variable(&mut self, definition: Option<Floor>) -> usize {
        let column = self.width();
        self.rows_mut().for_each(|row| row.push(Int::ZERO));
        let definition = definition.map(|mut floor| {
            floor.numerator.push(Int::ZERO);
            floor
        });
        if let Some(floor) = &definition {
            self.inequalities.extend(floor_bounds(&floor.numerator, &floor.denominator, column));
        }
        self.variables.push(definition);
        column
    }

    /// One more floor of outer columns, in front of the variables.
    pub(super) fn push_floor(&mut self, floor: Floor) -> usize {
        let column = self.first_variable();
        self.rows_mut().for_each(|row| row.insert_zeros(column, 1));
        self.weight = self.weight.renamed(|old| if old < column { old } else { old + 1 });
        self.floors.push(floor);
        column
    }

    /// Removes a variable that occurs nowhere any more.
    pub(super) fn remove_variable(&mut self, column: usize) {
        let first = self.first_variable();
        self.variables.remove(column - first);
        self.rows_mut().for_each(|row| row.remove(column..column + 1));
        self.weight = self.weight.renamed(|old| if old < column { old } else { old - 1 });
    }

    /// Puts an expression in the place of a variable, which is removed.
    pub(super) fn substitute(&mut self, column: usize, value: &Row) {
        self.forget(column);
        self.rows_mut().for_each(|row| {
            let factor = row.get(column);
            row.set(column, Int::ZERO);
            row.add_scaled(&factor, value);
        });
        let value = Polynomial::from_row(value, &Int::ONE);
        self.weight = self.weight.substituted(column, &value);
        // A definition that has come to speak of its own variable is none.
        let first = self.first_variable();
        for (index, variable) in self.variables.iter_mut().enumerate() {
            if variable.as_ref().is_some_and(|floor| !floor.numerator.is_zero_at(first + index)) {
                *variable = None;
            }
        }
        self.remove_variable(column);
    }

    /// Rows without common divisors, opposite and parallel ones joined.
    pub(super) fn normalize(&mut self) -> std::result::Result<(), Nothing> {
        let mut system =
            System::new(self.width(), std::mem::take(&mut self.equalities), Vec::new());
        let mut keys = Vec::with_capacity(self.inequalities.len());
        system
            .insert_all(std::mem::take(&mut self.inequalities), &mut keys)
            .map_err(|_| Nothing)?;
        system.normalize_equalities().map_err(|_| Nothing)?;
        self.equalities = system.equalities;
        self.inequalities = system.inequalities;
        Ok(())
    }

    /// The simplex tableau of the constraints.
    pub(super) fn tableau(&self, budget: &Budget) -> Result<Tableau> {
        let (equalities, rows) = (self.equalities.clone(), self.inequalities.clone());
        System::new(self.width(), equalities, rows).tableau(budget)
    }

    /// Removes inequalities that follow from others.
    ///
    /// # Errors
    /// The budget is exceeded.
    pub(super) fn remove_redundancies(
        &mut self,
        budget: &Budget,
    ) -> Result<std::result::Result<(), Nothing>> {
        let mut tableau = Tableau::new(self.width() - 1);
        for row in &self.equalities {
            tableau.add_equality(row, budget)?;
        }
        let mut ids = Vec::with_capacity(self.inequalities.len());
        for row in &self.inequalities {
            ids.push(tableau.add_inequality(row, budget)?);
        }
        if tableau.is_empty() {
            return Ok(Err(Nothing));
        }
        let weight = |row: &Row| (1..row.len()).filter(|&i| !row.is_zero_at(i)).count();
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(weight(&self.inequalities[i])));
        let mut is_redundant = vec![false; ids.len()];
        for i in order {
            is_redundant[i] = tableau.remove_if_redundant(ids[i], budget)?;
        }
        let mut flags = is_redundant.into_iter();
        self.inequalities.retain(|_| !flags.next().unwrap_or_default());
        Ok(Ok(()))
    }

    /// The floors as locals of a system of `width` columns.
    pub(super) fn locals(&self, width: usize) -> Vec<Local> {
        let local = |floor: &Floor| Local::Floor {
            numerator: floor.numerator.widened(width),
            denominator: floor.denominator.clone(),
        };
        self.floors.iter().map(local).collect()
    }
}
