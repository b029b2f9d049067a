//! Why a command has no result, and the exit status that says so.
use loopwright_presburger::Error;
use std::fmt;

/// The exit status of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Done = 0,
    /// The input was refused.
    Refused = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A limit was reached and no fallback was allowed.
    Limit = 3,
}

/// A failure with everything the user is told about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure.
    pub status: Status,
    /// The text for the user, without final line break.
    pub message: String,
}

impl Failure {
    /// The input was refused.
    pub fn refused(message: impl Into<String>) -> Self {
        Failure { status: Status::Refused, message: message.into() }
    }

    /// The command line is wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure { status: Status::Usage, message: message.into() }
    }

    /// An operation on sets failed while doing `what`.
    pub fn in_stage(what: &str, error: &Error) -> Self {
        let status = match error {
            Error::Exceeded { .. } => Status::Limit,
            _ => Status::Refused,
        };
        Failure { status, message: format!("error: {what}: {error}") }
    }

    /// All diagnostics of the front end.
    pub fn from_diagnostics(diagnostics: &[loopwright_cfront::Diagnostic]) -> Self {
        let mut texts: Vec<String> = diagnostics.iter().map(|d| d.to_string()).collect();
        let mut codes: Vec<String> = diagnostics.iter().map(|d| d.code.to_string()).collect();
        codes.sort();
        codes.dedup();
        if !codes.is_empty() {
            let all = codes.join(", ");
            texts.push(format!("docs/diagnostics.md has more about {all}"));
        }
        Failure::refused(texts.join("\n\n"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Failure {}
