//! What a step towards the normal form has found out.

/// What a step has found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing that would give earlier steps more to do.
    Stable,
    /// The system has changed so that earlier steps have more to do.
    Changed,
    /// There is no point.
    Contradiction,
}
