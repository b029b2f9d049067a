//! What is said about accesses.
use loopwright_scop::ReferenceId;

/// What a relation says about its accesses; the reference of an access in its instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    MustSource,
    MaySource,
    Kill,
    Sink,
}

impl Role {
    pub(crate) fn reference(self) -> ReferenceId {
        ReferenceId(self as u32)
    }
}
