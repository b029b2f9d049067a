//! Cheap over-approximations: dropping constraints, removing locals.
use crate::*;

impl Map {
    /// Drops every constraint that involves the dimensions (over-approximation).
    pub fn drop_constraints_involving_dims(&self, kind: DimKind, first: usize, count: usize) -> Self { todo!() }
    /// Whether a constraint (or a floor used) involves the dimensions.
    pub fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool { todo!() }
    /// An over-approximation without any locals (Fourier-Motzkin with integer tightening).
    pub fn remove_divs(&self) -> Self { todo!() }
    /// An over-approximation without unknown existentials.
    pub fn remove_unknown_divs(&self) -> Self { todo!() }
    /// An over-approximation without floors that involve the given dimensions.
    pub fn remove_divs_involving_dims(&self, kind: DimKind, first: usize, count: usize) -> Self { todo!() }
}
