//! What can go wrong in operations on sets.
use std::fmt;

/// The result of an operation on sets.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation on sets has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The operands live in spaces that the operation does not combine.
    SpaceMismatch {
        /// The operation.
        operation: &'static str,
        /// The two spaces, printed.
        left: String,
        /// The second space.
        right: String,
    },
    /// The budget is used up.
    Exceeded {
        /// The operation that was running.
        operation: &'static str,
    },
    /// The operation is not defined on this operand.
    Invalid {
        /// The operation.
        operation: &'static str,
        /// What is wrong with the operand.
        reason: String,
    },
    /// A text that is not in isl's notation.
    Parse {
        /// Byte position in the text.
        position: usize,
        /// What was expected and what was found.
        message: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::SpaceMismatch { operation, left, right } => {
                write!(f, "{operation}: the spaces {left} and {right} do not match")
            }
            Error::Exceeded { operation } => write!(f, "the budget ran out in {operation}"),
            Error::Invalid { operation, reason } => write!(f, "{operation}: {reason}"),
            Error::Parse { position, message } => write!(f, "at byte {position}: {message}"),
        }
    }
}

impl std::error::Error for Error {}
