//! What an expression does with what it names.

/// What an expression does with a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Read,
    Write,
    Update,
}
