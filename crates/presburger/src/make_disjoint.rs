//! Pairwise disjoint pieces.
#![allow(unused_variables)]
use crate::*;

impl Map {
    /// The same points in pairwise disjoint pieces.
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> {
        todo!()
    }
}

impl Set {
    /// The same points in pairwise disjoint pieces.
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> {
        todo!()
    }
}
