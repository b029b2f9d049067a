//! Merging pieces of a union without adding points.
#![allow(unused_variables)]
use crate::*;

impl Map {
    /// The same points in fewer basic pieces.
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        todo!()
    }
}

impl Set {
    /// The same points in fewer basic pieces.
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        todo!()
    }
}
