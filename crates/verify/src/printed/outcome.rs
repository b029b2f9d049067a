//! What reading a text finds out, and why it ends.
use crate::verdict::{Proof, Violation};
use loopwright_presburger::{Error, Result};

/// What was found out about a printed text.
#[derive(Clone, Debug)]
pub struct Printed {
    /// Whether all that was read does what the tree says, which says nothing about the parts that follow;
    /// none if nothing was read.
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
    /// A register block, results in vector variables, of a form that is not understood or not within the
    /// budget.
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

/// What was found out when the end was reached, or reading ended before, with the parts that were passed
/// over.
pub(super) fn finished(found: Walked<()>, not_read: Vec<NotRead>) -> Result<Printed> {
    let unknown = not_read.iter().find(|not_read| not_read.part != UnreadPart::RegisterBlock);
    let nothing = |part| Printed { proof: None, not_read: vec![NotRead { part, line: 1 }] };
    Ok(match (found, unknown) {
        (Ok(()), _) => Printed { proof: Some(Proof::Proved), not_read },
        // What follows a part that was not understood may have been read at the wrong place.
        (Err(Stop::Wrong(_) | Stop::Unread(_)), Some(unknown)) => nothing(unknown.part.clone()),
        (Err(Stop::Unread(why)), None) => nothing(UnreadPart::Other(why)),
        (Err(Stop::Wrong(violation)), None) => {
            Printed { proof: Some(Proof::Refuted(vec![violation])), not_read }
        }
        (Err(Stop::Error(error)), _) => return Err(error),
    })
}
