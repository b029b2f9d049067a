//! Integers without bound, with a one-word fast path.

/// An exact integer: inline while it fits into an `i64`, on the heap beyond.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// A value that fits (never `i64::MIN`).
    Small(i64),
    /// A value that does not fit into `Small`.
    Large(Box<dashu_int::IBig>),
}
