//! Branches that write variables first.
use std::collections::BTreeSet;
use std::ops::Range;

/// Branches whose statements follow each other in the model.
#[derive(Debug)]
pub(crate) struct Overwritten {
    pub(crate) statements: Range<usize>,
    /// The variables that each of them writes for sure before it reads them.
    pub(crate) variables: BTreeSet<u32>,
}
