//! What cannot be part of a region, and what is said about it.
use crate::diagnostics::diagnostic::Diagnostic;

/// A refusal on its way up; boxed because it is rare.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) Box<Diagnostic>);

impl Refusal {
    /// The same with a reason.
    pub(crate) fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.0.reason = Some(reason.into());
        self
    }

    /// The same with an advice.
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The same as what only follows from another refusal.
    pub(crate) fn marked_consequence(mut self, is_consequence: bool) -> Self {
        self.0.is_consequence = is_consequence;
        self
    }
}
