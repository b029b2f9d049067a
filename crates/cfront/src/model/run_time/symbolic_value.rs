//! Symbolic constants of a region as expressions of C.

/// A symbolic constant in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicValue {
    /// An expression that has its value in front of the region.
    pub text: String,
    /// The size of its type.
    pub bytes: u64,
    /// Whether its type is signed.
    pub is_signed: bool,
}
