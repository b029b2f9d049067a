//! Proofs about values that live elsewhere than in the program: in panels, in expanded scalars and arrays, in cells of
//! contracted arrays, in statements of their own.
pub(crate) mod array_expansion;
pub(crate) mod contraction;
pub(crate) mod divisions;
pub(crate) mod expansion;
mod flow;
pub(crate) mod panels;
pub(crate) mod recomputation;
pub(crate) mod transfers;
