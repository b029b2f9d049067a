//! The state of printing accesses of 16 bytes (`vectors.rs`).
use loopwright_presburger::Name;
use loopwright_schedule::{LocalMark, MemorySpace, VectorCopyMark};
use std::collections::BTreeSet;

/// What is known of accesses of 16 bytes while a kernel is printed.
pub(super) struct VectorState {
    /// The mark that the code stands below.
    pub(super) mark: Option<VectorCopyMark>,
    /// The arrays of the kernel that accesses of 16 bytes use.
    pub(super) aligned: BTreeSet<Name>,
    /// The arrays that blocks have in shared memory.
    pub(super) shared: BTreeSet<Name>,
}

impl VectorState {
    /// Of a kernel with arrays of its own, of which nothing has been printed.
    pub(super) fn of_kernel(own_arrays: &[LocalMark]) -> VectorState {
        let shared = own_arrays.iter().filter(|own| own.space == MemorySpace::Shared);
        let shared = shared.map(|own| own.array.clone()).collect();
        VectorState { mark: None, aligned: BTreeSet::new(), shared }
    }
}
