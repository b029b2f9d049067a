//! Whether relations are functions.
#![allow(unused_variables)]
use crate::*;

impl Map {
    /// Whether every element of the domain has one image.
    pub fn is_single_valued(&self, budget: &Budget) -> Result<bool> {
        todo!()
    }
    /// Whether every element of the range has one origin.
    pub fn is_injective(&self, budget: &Budget) -> Result<bool> {
        todo!()
    }
    /// Both.
    pub fn is_bijective(&self, budget: &Budget) -> Result<bool> {
        todo!()
    }
}
