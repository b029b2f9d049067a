//! Scalars that have become arrays.
use crate::{ArrayId, StatementId};

/// A scalar that has a value of its own per iteration of some loops: some of the statements that access
/// it access an element of an array instead.
///
/// In the accesses of these statements the element of an instance has the first `n_loops` coordinates
/// of the instance as subscripts, so that instances of different iterations use different elements. The
/// text of their bodies may name a smaller local array, which each execution of a part of the code has
/// for itself: its subscripts are the *cells* of elements. That every read finds the value that the
/// scalar had is for `loopwright_verify` to prove.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expansion {
    /// The scalar.
    pub scalar: ArrayId,
    /// The array that stands for it.
    pub array: ArrayId,
    /// The statements that access the array.
    pub statements: Vec<StatementId>,
    /// The number of subscripts of an element.
    pub n_loops: usize,
}
