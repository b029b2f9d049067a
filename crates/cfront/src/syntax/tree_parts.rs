//! What a parser hands over: nodes with their children.
use crate::syntax::kind::{Field, Kind};

/// A node whose parent may not be known yet.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) kind: Kind,
    pub(crate) field: Field,
    pub(crate) is_named: bool,
    pub(crate) is_missing: bool,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Where its children are in [`Parts::children`].
    pub(crate) first_child: u32,
    pub(crate) n_children: u32,
}

/// The nodes of a tree, children before their parents.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) nodes: Vec<Part>,
    /// The children of all nodes, those of a node next to each other.
    pub(crate) children: Vec<u32>,
}
