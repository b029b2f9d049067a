//! How the multifor statements of a file are treated.
use crate::code::Scheme;
use crate::intent::OffsetChoice;
use loopwright_cfront::{Options, Region};

/// How the multifor statements of a file are treated where their pragmas say nothing else.
#[derive(Clone, Debug)]
pub struct LowerSettings {
    /// How loops are cut.
    pub scheme: Scheme,
    /// Whether the order of the nests one after the other has to be kept.
    pub check: bool,
    /// The regions of sequential programs whose order has to be kept: the first for the first statement, and
    /// so on.
    pub originals: Option<Vec<Region>>,
    /// Which offsets are used.
    pub offsets: OffsetChoice,
    /// How the file is preprocessed, where what bodies access has to be known.
    pub reading: Options,
    /// The steps that a statement may take.
    pub steps: u64,
}

impl Default for LowerSettings {
    fn default() -> Self {
        LowerSettings {
            scheme: Scheme::default(),
            check: false,
            originals: None,
            offsets: OffsetChoice::default(),
            reading: Options::default(),
            steps: 100_000_000,
        }
    }
}
