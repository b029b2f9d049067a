//! Quantifier elimination: every existential becomes an explicit floor.
#![allow(unused_variables)]
use crate::*;

impl Map {
    /// The same points without unknown existentials: every local is an explicit floor.
    pub fn compute_divs(&self, budget: &Budget) -> Result<Self> {
        todo!()
    }
}

impl Set {
    /// The same points without unknown existentials: every local is an explicit floor.
    pub fn compute_divs(&self, budget: &Budget) -> Result<Self> {
        todo!()
    }
}
