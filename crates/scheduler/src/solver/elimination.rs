//! Sparse equations, each solved for its last variable.
//!
//! Reading an equation as a definition of its *last* variable keeps lexicographic minima: where two
//! solutions differ first, they differ in a variable that no equation defines, since the others
//! are functions of variables before them. The minimum over the variables that are left is the
//! minimum over all. Only equations in which the last variable has coefficient 1 or -1 are used so, such
//! that integers stay integers.
use crate::algebra::terms::Terms;
use loopwright_presburger::{Int, Result};

/// Equations `row = 0`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elimination {
    /// Equations by their last variables, which have coefficient 1 or -1; none involves the last variable
    /// of another one.
    rows: Vec<Option<Terms>>,
    /// For each variable that is not eliminated the last variables of the equations with it.
    users: Vec<Vec<usize>>,
    /// The other equations.
    others: Vec<Terms>,
    contradictory: bool,
}

impl Elimination {
    /// Adds an equation.
    ///
    /// # Errors
    /// `Exceeded` if a coefficient gets too large.
    pub(crate) fn insert(&mut self, row: &Terms) -> Result<()> {
        let row = self.reduce(row)?;
        let Some(pivot) = row.last_variable() else {
            self.contradictory |= !row.is_empty();
            return Ok(());
        };
        if row.get(pivot).abs() != 1 {
            self.others.push(row);
            return Ok(());
        }
        if self.rows.len() <= pivot {
            self.rows.resize(pivot + 1, None);
            self.users.resize(pivot + 1, Vec::new());
        }
        for user in std::mem::take(&mut self.users[pivot]) {
            let Some(old) = self.rows[user].take() else { continue };
            for (column, _) in old.iter().filter(|&(column, _)| column != pivot) {
                self.users[column].retain(|&other| other != user);
            }
            self.define(user, old.without(pivot, &row)?);
        }
        self.define(pivot, row);
        Ok(())
    }

    fn define(&mut self, variable: usize, row: Terms) {
        for (column, _) in row.iter().filter(|&(column, _)| column != 0 && column != variable) {
            self.users[column].push(variable);
        }
        self.rows[variable] = Some(row);
    }

    fn definition(&self, variable: usize) -> Option<&Terms> {
        self.rows.get(variable)?.as_ref()
    }

    /// Whether no point satisfies the equations.
    pub(crate) fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// Whether a variable is a function of variables before it.
    pub(crate) fn defines(&self, variable: usize) -> bool {
        self.definition(variable).is_some()
    }

    /// Equations that define nothing.
    pub(crate) fn others(&self) -> &[Terms] {
        &self.others
    }

    /// The value of a variable that is defined, times `one`; the others are `values` by `one`.
    pub(crate) fn value(&self, variable: usize, one: &Int, values: &[Int]) -> Option<Int> {
        let row = self.definition(variable)?;
        let own = Int::from(row.get(variable));
        let rest = row.value(one, values) - &own * &values[variable - 1];
        Some(-(own * rest))
    }

    /// A positive multiple of a row in terms of the variables that are not defined.
    ///
    /// # Errors
    /// `Exceeded` if a coefficient gets too large.
    pub(crate) fn reduce(&self, row: &Terms) -> Result<Terms> {
        let mut reduced = row.clone();
        for (column, _) in row.iter().rev() {
            if let Some(equation) = self.definition(column) {
                reduced = reduced.without(column, equation)?;
            }
        }
        Ok(reduced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_equations_ends_at_its_first_variable() {
        let mut elimination = Elimination::default();
        for k in [3, 1, 4, 2] {
            elimination.insert(&Terms::sum(vec![(k, 1), (k + 1, -1), (0, 1)])).unwrap();
        }
        for k in 2..6 {
            let reduced = elimination.reduce(&Terms::sum(vec![(k, 1)])).unwrap();
            assert_eq!(reduced, Terms::sum(vec![(1, 1), (0, k as i64 - 1)]));
        }
        assert!(!elimination.defines(1) && !elimination.is_contradictory());
        elimination.insert(&Terms::sum(vec![(1, 1), (5, -1)])).unwrap();
        assert!(elimination.is_contradictory());
    }
}
