//! Difference, complement, and the predicates that follow from it.
#![allow(unused_variables)]
use crate::*;

impl Map {
    /// The difference.
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> {
        todo!()
    }
    /// Whether every point is in `other`.
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        todo!()
    }
    /// Whether both have the same points.
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        todo!()
    }
    /// Whether there is no common point.
    pub fn is_disjoint(&self, other: &Self, budget: &Budget) -> Result<bool> {
        todo!()
    }
    /// Those pairs whose domain is not in `set`.
    pub fn subtract_domain(&self, set: &Set, budget: &Budget) -> Result<Self> {
        todo!()
    }
    /// Those pairs whose range is not in `set`.
    pub fn subtract_range(&self, set: &Set, budget: &Budget) -> Result<Self> {
        todo!()
    }
}

impl Set {
    /// The difference.
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> {
        todo!()
    }
    /// Whether every point is in `other`.
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        todo!()
    }
    /// Whether both have the same points.
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        todo!()
    }
    /// Whether there is no common point.
    pub fn is_disjoint(&self, other: &Self, budget: &Budget) -> Result<bool> {
        todo!()
    }
    /// The complement in its space.
    pub fn complement(&self, budget: &Budget) -> Result<Self> {
        todo!()
    }
}
