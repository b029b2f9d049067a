//! Why an edit cannot be made.
use loopwright_presburger::Error;
use std::fmt;

/// Why an edit of a mapping, or a script, is refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EditError {
    /// The edit does not fit the mapping, or the script is wrong; in words.
    Refused(String),
    /// An operation on sets failed.
    Sets(Error),
}

impl EditError {
    /// An edit that does not fit, in words.
    pub fn refused(message: impl Into<String>) -> Self {
        EditError::Refused(message.into())
    }
}

impl From<Error> for EditError {
    fn from(error: Error) -> Self {
        EditError::Sets(error)
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::Refused(message) => f.write_str(message),
            EditError::Sets(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EditError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            EditError::Refused(_) => None,
            EditError::Sets(error) => Some(error),
        }
    }
}
