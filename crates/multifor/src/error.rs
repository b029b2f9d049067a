//! What can be wrong with a multifor statement.
use loopwright_cfront::Code;
use std::fmt;

/// Why a multifor statement is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiforError {
    /// The kind of refusal.
    pub code: Code,
    /// The byte of the file's text that it is about.
    pub byte: usize,
    /// One sentence: what is wrong.
    pub message: String,
    /// Why this cannot be accepted.
    pub reasons: Vec<String>,
}

impl MultiforError {
    /// An error without reasons.
    ///
    /// ```
    /// use loopwright_cfront::Code;
    /// use loopwright_multifor::MultiforError;
    /// assert_eq!(MultiforError::new(Code::Syntax, 0, "no").to_string(), "no");
    /// ```
    pub fn new(code: Code, byte: usize, message: impl Into<String>) -> Self {
        MultiforError { code, byte, message: message.into(), reasons: Vec::new() }
    }

    /// The same with one more reason.
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reasons.push(reason.into());
        self
    }

    /// A limit that was reached, or another error of the operations on sets.
    pub(crate) fn of_sets(byte: usize, error: &loopwright_presburger::Error) -> Self {
        let message = format!("a limit was reached in a multifor statement: {error}");
        MultiforError::new(Code::TooComplex, byte, message)
    }
}

/// Prints the message and the reasons.
impl fmt::Display for MultiforError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.reasons.iter().try_for_each(|reason| write!(f, "; {reason}"))
    }
}

impl std::error::Error for MultiforError {}
