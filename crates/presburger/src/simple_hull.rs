//! Hulls that only use constraints of the pieces.
#![allow(unused_variables)]
use crate::*;

impl Map {
    /// One basic piece: the constraints of the pieces that hold on all of them ("shared constraints", no new coefficients).
    pub fn unshifted_simple_hull(&self, budget: &Budget) -> Result<BasicMap> {
        todo!()
    }
    /// One basic piece: constraints of the pieces, shifted until they hold on all.
    pub fn simple_hull(&self, budget: &Budget) -> Result<BasicMap> {
        todo!()
    }
}

impl Set {
    /// One basic piece: the constraints of the pieces that hold on all of them ("shared constraints", no new coefficients).
    pub fn unshifted_simple_hull(&self, budget: &Budget) -> Result<BasicSet> {
        todo!()
    }
    /// One basic piece: constraints of the pieces, shifted until they hold on all.
    pub fn simple_hull(&self, budget: &Budget) -> Result<BasicSet> {
        todo!()
    }
}
