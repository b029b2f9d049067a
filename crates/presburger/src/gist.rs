//! Simplification inside a context.
#![allow(unused_variables)]
use crate::*;

impl Map {
    /// A cheaper description that equals `self` inside `context`.
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        todo!()
    }
    /// The gist with respect to a set of parameters.
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        todo!()
    }
    /// The gist inside a domain.
    pub fn gist_domain(&self, context: &Set, budget: &Budget) -> Result<Self> {
        todo!()
    }
    /// The gist inside a range.
    pub fn gist_range(&self, context: &Set, budget: &Budget) -> Result<Self> {
        todo!()
    }
}

impl Set {
    /// A cheaper description that equals `self` inside `context`.
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        todo!()
    }
    /// The gist with respect to a set of parameters.
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        todo!()
    }
}
