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

impl Error {
    /// The message for the one who wrote `text`: for a parse error the line and the column, the line
    /// itself, and a caret below the place.
    ///
    /// ```
    /// use loopwright_presburger::Set;
    /// let text = "[n] -> { S[i] :\n  0 <= i < m }";
    /// let error = Set::parse(text).unwrap_err();
    /// assert_eq!(
    ///     error.explain(text),
    ///     "2:12: expected a declared name, found `m`\n   0 <= i < m }\n            ^"
    /// );
    /// ```
    pub fn explain(&self, text: &str) -> String {
        let Error::Parse { position, message } = self else { return self.to_string() };
        let mut position = (*position).min(text.len());
        while !text.is_char_boundary(position) {
            position -= 1;
        }
        let start = text[..position].rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[start..].lines().next().unwrap_or("");
        let number = 1 + text[..start].matches('\n').count();
        let before = &text[start..position];
        let indent: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let column = 1 + before.chars().count();
        format!("{number}:{column}: {message}\n {line}\n {indent}^")
    }
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
