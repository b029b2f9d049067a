//! What reading a text finds out, and why it ends.
use crate::verdict::{Proof, Violation};
use loopwright_presburger::Error;

/// What was found out about a printed text.
#[derive(Clone, Debug)]
pub struct Printed {
    /// Whether all that was read does what the tree says, which says nothing about the parts that follow; none if nothing
    /// was read.
    pub proof: Option<Proof>,
    /// The parts of the text that were not read, with their first lines.
    pub not_read: Vec<NotRead>,
}

/// A part of a text that is not read back, and its first line (1-based).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRead {
    /// The part.
    pub part: UnreadPart,
    /// Its first line.
    pub line: u32,
}

/// A part of a text that is not read back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnreadPart {
    /// A register block, results in vector variables, of a form that is not understood or not within the budget.
    RegisterBlock,
    /// Text that was not understood, or not within the budget, and why.
    Other(String),
}

impl UnreadPart {
    /// In words, several of them.
    ///
    /// ```
    /// assert_eq!(loopwright_verify::UnreadPart::RegisterBlock.name(), "register tiles");
    /// ```
    pub fn name(&self) -> String {
        match self {
            UnreadPart::RegisterBlock => "register tiles".to_string(),
            UnreadPart::Other(why) => format!("text that could not be read back ({why})"),
        }
    }
}

/// Why reading ends.
pub(super) enum Stop {
    /// The text does something else than the tree.
    Wrong(Violation),
    /// It is not known what the text does.
    Unread(String),
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        match error {
            Error::Exceeded { .. } | Error::Invalid { .. } => Stop::Unread(error.to_string()),
            other => Stop::Error(other),
        }
    }
}

pub(super) type Walked<T> = std::result::Result<T, Stop>;
