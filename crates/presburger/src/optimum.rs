//! Optimal values of dimensions and expressions.
#![allow(unused_variables)]
use crate::*;

impl Map {
    /// The least value of a dimension over all points and all parameter values (integer optimum).
    pub fn dim_min_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        todo!()
    }
    /// The greatest value of a dimension.
    pub fn dim_max_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        todo!()
    }
}

impl Set {
    /// The least value of a dimension over all points and all parameter values (integer optimum).
    pub fn dim_min_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        todo!()
    }
    /// The greatest value of a dimension.
    pub fn dim_max_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        todo!()
    }
    /// The minimum of a dimension as a piecewise expression in the parameters.
    pub fn dim_min(&self, position: usize, budget: &Budget) -> Result<PwAff> {
        todo!()
    }
    /// The maximum of a dimension as a piecewise expression in the parameters.
    pub fn dim_max(&self, position: usize, budget: &Budget) -> Result<PwAff> {
        todo!()
    }
    /// The minimum of an expression over all points and parameter values (integer).
    pub fn min_val(&self, objective: &Aff, budget: &Budget) -> Result<Optimum> {
        todo!()
    }
    /// The maximum of an expression.
    pub fn max_val(&self, objective: &Aff, budget: &Budget) -> Result<Optimum> {
        todo!()
    }
}
