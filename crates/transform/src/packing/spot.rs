//! A place in a tree for a panel.
use crate::storage::local_array::Origin;
use loopwright_presburger::Aff;

/// A place for a panel.
pub(super) struct Spot {
    /// The way to the node below which the panel is used.
    pub(super) path: Vec<usize>,
    /// The loops outside, over the reader's instances.
    pub(super) outside: Vec<Aff>,
    /// The origin of each coordinate, over the reader's instances.
    pub(super) origins: Vec<Origin>,
    /// The declared extents.
    pub(super) extents: Vec<i64>,
    /// Their product in bytes.
    pub(super) bytes: i64,
}
