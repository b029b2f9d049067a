//! Parametric integer programming: lexicographic optima as functions of the parameters.
#![allow(unused_variables)]
use crate::*;

impl Map {
    /// The images x -> smallest y, in lexicographic order, as an explicit piecewise relation.
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> {
        todo!()
    }
    /// The greatest images.
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> {
        todo!()
    }
    /// The smallest images as a piecewise expression.
    pub fn lexmin_pw_multi_aff(&self, budget: &Budget) -> Result<PwMultiAff> {
        todo!()
    }
    /// The greatest images as a piecewise expression.
    pub fn lexmax_pw_multi_aff(&self, budget: &Budget) -> Result<PwMultiAff> {
        todo!()
    }
    /// The lexicographically smallest images for domain elements in `domain`, and the part of `domain` without image.
    pub fn partial_lexmin(&self, domain: &Set, budget: &Budget) -> Result<(Self, Set)> {
        todo!()
    }
    /// The lexicographically greatest images for `domain`, and the part of it without image.
    pub fn partial_lexmax(&self, domain: &Set, budget: &Budget) -> Result<(Self, Set)> {
        todo!()
    }
}

impl Set {
    /// The smallest element, in lexicographic order, for each value of the parameters.
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> {
        todo!()
    }
    /// The greatest element.
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> {
        todo!()
    }
    /// The smallest element as a piecewise expression in the parameters.
    pub fn lexmin_pw_multi_aff(&self, budget: &Budget) -> Result<PwMultiAff> {
        todo!()
    }
    /// The greatest element as a piecewise expression in the parameters.
    pub fn lexmax_pw_multi_aff(&self, budget: &Budget) -> Result<PwMultiAff> {
        todo!()
    }
}
