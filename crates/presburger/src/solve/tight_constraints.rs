//! Vertices as solutions of tight constraints.
//!
//! # Method
//! A vertex of a polyhedron in some columns is the solution of as many independent constraints, made
//! tight, as there are columns. The choices of constraints are visited depth first, with the chosen
//! rows in echelon form, so that a constraint that depends on the chosen ones is left out at once.
use crate::core::budget::Budget;
use crate::core::error::Result;
use loopwright_exact::Row;
use std::ops::Range;

/// Independent tight constraints in echelon form: every row has a pivot column that is zero in the
/// others.
#[derive(Clone, Debug)]
pub(crate) struct TightConstraints {
    rows: Vec<(usize, Row)>,
}

/// The row without its entry in `column`, times a positive number.
fn eliminated(row: &Row, column: usize, pivot: &Row) -> Row {
    let mut row = row.clone();
    row.eliminate(column, pivot);
    row
}

impl TightConstraints {
    /// The equalities of a polyhedron in `columns`; those that depend on others are left out.
    pub(crate) fn of_equalities(equalities: &[Row], columns: Range<usize>) -> Self {
        let none = TightConstraints { rows: Vec::new() };
        equalities.iter().fold(none, |tight, row| tight.with(row, columns.clone()).unwrap_or(tight))
    }

    /// The row without the pivot columns, times a positive number.
    pub(crate) fn reduced(&self, row: &Row) -> Row {
        self.rows.iter().fold(row.clone(), |row, (column, pivot)| eliminated(&row, *column, pivot))
    }

    /// With one more tight constraint; none if its entries in `columns` depend on the others.
    fn with(&self, row: &Row, columns: Range<usize>) -> Option<Self> {
        let row = self.reduced(row);
        let column = row.first_nonzero(columns)?;
        let mut rows: Vec<(usize, Row)> =
            self.rows.iter().map(|(c, other)| (*c, eliminated(other, column, &row))).collect();
        rows.push((column, row));
        Some(TightConstraints { rows })
    }

    /// The number of independent constraints.
    pub(crate) fn rank(&self) -> usize {
        self.rows.len()
    }

    /// The first of some rows that are independent in `columns`, and of those that are tight anyway.
    pub(crate) fn first_independent(
        &self,
        rows: &[Row],
        indices: &[usize],
        columns: Range<usize>,
    ) -> Vec<usize> {
        let mut tight = self.clone();
        let mut add = |index: &usize| match tight.with(&rows[*index], columns.clone()) {
            Some(tighter) => {
                tight = tighter;
                true
            }
            None => false,
        };
        indices.iter().copied().filter(|index| add(index)).collect()
    }

    /// The rows with their pivot columns, in the order of these.
    pub(crate) fn solved(&self) -> Vec<&(usize, Row)> {
        let mut solved: Vec<&(usize, Row)> = self.rows.iter().collect();
        solved.sort_by_key(|(column, _)| *column);
        solved
    }
}

/// All choices of inequalities that determine the values of some columns.
pub(crate) struct VertexSearch<'a> {
    pub(crate) inequalities: &'a [Row],
    /// The columns that a vertex has values for.
    pub(crate) columns: Range<usize>,
    pub(crate) budget: &'a Budget,
    /// What spends the budget.
    pub(crate) operation: &'static str,
}

impl VertexSearch<'_> {
    /// Calls `visit` with each choice that determines the columns together with what is tight anyway;
    /// several choices may have the same solution, and need not satisfy the other inequalities.
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded): the number of choices is exponential. What `visit`
    /// returns.
    pub(crate) fn visit(
        &self,
        tight: &TightConstraints,
        visit: &mut dyn FnMut(&TightConstraints) -> Result<()>,
    ) -> Result<()> {
        self.extend(tight, 0, &self.ranks(tight), visit)
    }

    /// The rank of what is tight anyway together with the inequalities from each position on.
    fn ranks(&self, tight: &TightConstraints) -> Vec<usize> {
        let mut tight = tight.clone();
        let mut ranks = vec![tight.rows.len()];
        for row in self.inequalities.iter().rev() {
            tight = tight.with(row, self.columns.clone()).unwrap_or(tight);
            ranks.push(tight.rows.len());
        }
        ranks.reverse();
        ranks
    }

    /// A choice goes on with inequalities from `next` on, as long as these have the rank that is missing.
    fn extend(
        &self,
        tight: &TightConstraints,
        next: usize,
        ranks: &[usize],
        visit: &mut dyn FnMut(&TightConstraints) -> Result<()>,
    ) -> Result<()> {
        self.budget.spend(1 + self.columns.len() as u64, self.operation)?;
        let n_missing = self.columns.len() - tight.rows.len();
        if n_missing == 0 {
            return visit(tight);
        }
        let n_fixed = ranks[self.inequalities.len()];
        for index in next..self.inequalities.len() {
            if ranks[index] - n_fixed < n_missing {
                break;
            }
            if let Some(tighter) = tight.with(&self.inequalities[index], self.columns.clone()) {
                self.extend(&tighter, index + 1, ranks, visit)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_exact::Int;

    /// The choices of two of the four sides of a square that are not parallel.
    #[test]
    fn independent_choices_are_visited() {
        let sides = [[0, 1, 0], [4, -1, 0], [0, 0, 1], [4, 0, -1]];
        let inequalities: Vec<Row> = sides.iter().map(|row| Row::from_i64s(row)).collect();
        let budget = Budget::unlimited();
        let search = VertexSearch {
            inequalities: &inequalities,
            columns: 1..3,
            budget: &budget,
            operation: "the test",
        };
        let mut found = Vec::new();
        let none = TightConstraints::of_equalities(&[], 1..3);
        let mut visit = |tight: &TightConstraints| {
            let value = |(column, row): &&(usize, Row)| -row.get(0).div_exact(&row.get(*column));
            found.push(tight.solved().iter().map(value).collect::<Vec<Int>>());
            Ok(())
        };
        search.visit(&none, &mut visit).unwrap();
        let expected = [[0, 0], [0, 4], [4, 0], [4, 4]].map(|p| p.map(Int::from).to_vec());
        assert_eq!(found, expected);
    }
}
