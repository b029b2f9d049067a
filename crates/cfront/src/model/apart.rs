//! Pairs of variables that may be the same memory.
use crate::diagnostics::diagnostic::Diagnostic;

/// Two variables that are the same memory unless a check shows that they are not.
#[derive(Debug)]
pub(crate) struct Apart {
    pub(crate) variables: (u32, u32),
    /// What is said if it cannot be checked.
    pub(crate) refusal: Diagnostic,
}
