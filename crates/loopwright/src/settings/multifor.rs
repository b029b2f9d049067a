//! What is done with the multifor statements of a file.
use loopwright_multifor::{OffsetChoice, Scheme};
use std::path::PathBuf;

/// How multifor statements become plain C, where their pragmas say nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MultiforOptions {
    /// How loops are cut.
    pub scheme: Scheme,
    /// Which order has to be kept.
    pub check: MultiforCheck,
    /// Which offsets are used.
    pub offsets: OffsetChoice,
}

/// Which order multifor statements have to keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MultiforCheck {
    /// None: a statement means what it says.
    #[default]
    Nothing,
    /// Its nests, one after the other.
    Loops,
    /// The regions of another file, the first for the first statement, and so on.
    File(PathBuf),
}
