//! Lexicographic minima over non-negative variables.
#![allow(unused_variables)]
use crate::{Budget, Int, Rational, Result, Row};

/// Minimizes non-negative variables in lexicographic order under linear constraints.
#[derive(Clone, Debug)]
pub struct LexicographicProblem {
    n_variables: usize,
}

/// A state of a [`LexicographicProblem`] to return to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LexicographicSnapshot(usize);

impl LexicographicProblem {
    /// A problem of `n_variables` non-negative variables without constraints.
    pub fn new(n_variables: usize) -> Self {
        LexicographicProblem { n_variables }
    }

    /// The number of variables.
    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// Requires `row = 0` over the columns `[constant | variables]`.
    pub fn add_equality(&mut self, row: &Row) {
        todo!()
    }

    /// Requires `row >= 0` over the columns `[constant | variables]`.
    pub fn add_inequality(&mut self, row: &Row) {
        todo!()
    }

    /// The present state, for [`LexicographicProblem::rollback`].
    pub fn snapshot(&self) -> LexicographicSnapshot {
        todo!()
    }

    /// Forgets every constraint added since the snapshot.
    pub fn rollback(&mut self, snapshot: LexicographicSnapshot) {
        todo!()
    }

    /// The lexicographically least integer solution, or none if there is no integer solution.
    pub fn lexmin_integer(&mut self, budget: &Budget) -> Result<Option<Vec<Int>>> {
        todo!()
    }

    /// The lexicographically least rational solution, or none if there is no solution.
    pub fn lexmin_rational(&mut self, budget: &Budget) -> Result<Option<Vec<Rational>>> {
        todo!()
    }
}
