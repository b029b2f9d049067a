//! Rows of integers that are all machine words or all big.
use crate::Int;

/// A vector of exact integers whose representation is chosen for the whole row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Row(Repr);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Small(Vec<i64>),
    Large(Vec<Int>),
}
