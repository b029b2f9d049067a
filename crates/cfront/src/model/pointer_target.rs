//! What a pointer leads to in a part of the text.
use crate::model::pieces::Pieces;
use std::ops::Range;

/// Where a pointer leads in a part of the text.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) bytes: Range<usize>,
    pub(crate) variable: u32,
    /// The subscripts of what it points to; some may be left.
    pub(crate) subscripts: Vec<Pieces>,
    pub(crate) kind: TargetKind,
}

/// What a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetKind {
    /// An element of an array, from which others can be reached.
    Element,
    /// A single object.
    Single,
    /// A copy of a structure, which goes by the name of what it is a copy of as long as it is only read.
    Copy,
}

impl Target {
    /// A target for a part of the text.
    pub(crate) fn new(
        bytes: Range<usize>,
        (variable, subscripts): (u32, Vec<Pieces>),
        kind: TargetKind,
    ) -> Self {
        Target { bytes, variable, subscripts, kind }
    }

    /// The variable and the subscripts of what it leads to.
    pub(crate) fn place(&self) -> (u32, &[Pieces]) {
        (self.variable, &self.subscripts)
    }

    pub(crate) fn is_copy(&self) -> bool {
        self.kind == TargetKind::Copy
    }

    /// The number of subscripts of what it points to.
    pub(crate) fn n_subscripts(&self) -> usize {
        self.subscripts.len()
    }
}
