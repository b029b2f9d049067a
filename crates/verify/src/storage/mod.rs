//! Proofs about values that live elsewhere than in the program: in panels, in expanded scalars and arrays, in
//! elements in place of scalars, in cells of contracted arrays, in statements of their own, in the memory of
//! blocks and threads of a device.
pub(crate) mod accumulators;
pub(crate) mod array_expansion;
pub(crate) mod contraction;
pub(crate) mod divisions;
pub(crate) mod expansion;
mod flow;
mod forms;
mod origins;
pub(crate) mod panels;
pub(crate) mod partial_results;
pub(crate) mod prefixes;
pub(crate) mod promotion;
pub(crate) mod recomputation;
pub(crate) mod transfers;
