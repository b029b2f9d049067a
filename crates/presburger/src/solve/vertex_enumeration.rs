//! The vertices of a polyhedron in some columns, as functions of the columns before them.
//!
//! # Method
//! A vertex is the solution of as many independent tight constraints as there are variables
//! ([`TightConstraints`]; equalities are always tight), in terms of the outer columns. Where there are no
//! outer columns, the vertices are the rays of a cone ([`Cone`]), which are found without trying all choices
//! of constraints; they are put into the order in which these choices would have found them.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::solve::double_description::Cone;
use crate::solve::tight_constraints::{TightConstraints, VertexSearch};
use loopwright_exact::Row;
use std::collections::HashSet;

/// About how many machine words a coordinate of a vertex takes.
const COORDINATE_WORDS: usize = 64;

/// A polyhedron over `[constant | outer columns | variables]`.
pub(crate) struct VertexProblem<'a> {
    pub(crate) equalities: &'a [Row],
    pub(crate) inequalities: &'a [Row],
    /// The number of columns before the variables, at least 1.
    pub(crate) n_outer: usize,
    pub(crate) n_variables: usize,
    /// The name of the work for a budget.
    pub(crate) operation: &'static str,
}

/// The values of the variables as rows `[denominator | constant | outer columns]`, reduced.
pub(crate) type Coordinates = Vec<Row>;

/// Says whether a vertex exists anywhere. The constraints that are tight there tell what the others are
/// in terms of the outer columns; none if there are no outer columns.
type Accept<'a> = dyn FnMut(&Coordinates, Option<&TightConstraints>) -> Result<bool> + 'a;

impl VertexProblem<'_> {
    /// The vertices that `accept` says exist, each once.
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded): with outer columns, choices of constraints are tried.
    pub(crate) fn vertices(
        &self,
        accept: &mut Accept<'_>,
        budget: &Budget,
    ) -> Result<Vec<Coordinates>> {
        if self.n_outer == 1 {
            return self.points(accept, budget);
        }
        let columns = self.n_outer..self.n_outer + self.n_variables;
        let tight = TightConstraints::of_equalities(self.equalities, columns.clone());
        let search = VertexSearch {
            inequalities: self.inequalities,
            columns,
            budget,
            operation: self.operation,
        };
        let (mut found, mut known) = (Vec::new(), HashSet::new());
        search.visit(&tight, &mut |tight| {
            let coordinates = self.coordinates(tight);
            if !known.contains(&coordinates) {
                self.room(found.len(), budget)?;
                if accept(&coordinates, Some(tight))? {
                    known.insert(coordinates.clone());
                    found.push(coordinates);
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// The vertices of a polyhedron without outer columns.
    fn points(&self, accept: &mut Accept<'_>, budget: &Budget) -> Result<Vec<Coordinates>> {
        let width = 1 + self.n_variables;
        let cone = Cone::polyhedron(width, self.equalities, self.inequalities, budget)?;
        if !cone.lines().is_empty() {
            return Ok(Vec::new());
        }
        let equalities = TightConstraints::of_equalities(self.equalities, 1..width);
        let n_missing = self.n_variables - equalities.rank();
        let mut found = Vec::new();
        for (ray, tight) in cone.rays().zip(cone.tight()).filter(|(ray, _)| !ray.is_zero_at(0)) {
            self.room(found.len(), budget)?;
            budget.spend(width as u64, self.operation)?;
            // Number 0 is `1 >= 0`, which is tight at no vertex.
            let tight = (0..self.inequalities.len()).filter(|index| tight.contains(1 + index));
            let mut choice: Vec<usize> = tight.collect();
            if choice.len() > n_missing {
                choice = equalities.first_independent(self.inequalities, &choice, 1..width);
            }
            let coordinate = |column| {
                let mut value: Row = [ray.get(0), ray.get(column)].into_iter().collect();
                value.reduce();
                value
            };
            found.push((choice, (1..width).map(coordinate).collect()));
        }
        found.sort_by(|(choice, _), (other, _)| choice.cmp(other));
        let mut accepted = Vec::with_capacity(found.len());
        for (_, coordinates) in found {
            if accept(&coordinates, None)? {
                accepted.push(coordinates);
            }
        }
        Ok(accepted)
    }

    /// Whether there is room for one more vertex.
    fn room(&self, n_found: usize, budget: &Budget) -> Result<()> {
        let words = self.n_variables.saturating_mul(COORDINATE_WORDS);
        budget.keep(words.saturating_mul(1 + n_found), self.operation)
    }

    /// The solution of as many tight constraints as there are variables.
    fn coordinates(&self, tight: &TightConstraints) -> Coordinates {
        let coordinate = |(pivot, row): &(usize, Row)| {
            let mut value = row.slice(0..self.n_outer);
            let mut denominator = row.get(*pivot);
            if denominator.is_positive() {
                value.negate();
            } else {
                denominator = -denominator;
            }
            value.insert_zeros(0, 1);
            value.set(0, denominator);
            value.reduce();
            value
        };
        tight.solved().into_iter().map(coordinate).collect()
    }
}
