//! Why there is no result, and the exit status that says so.
use super::diagnostic::Diagnostic;
use loopwright_presburger::Error;
use std::fmt;

/// The exit status of the command, in order from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// A failure with everything the user is told about it. It prints as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure.
    pub status: Status,
    /// What is said about it, at least one message.
    pub diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// A failure about which one thing is said.
    pub fn new(status: Status, diagnostic: Diagnostic) -> Self {
        Failure { status, diagnostics: vec![diagnostic] }
    }

    /// The input was refused.
    pub fn refused(message: impl Into<String>) -> Self {
        Failure::new(Status::Refused, Diagnostic::error(message))
    }

    /// The command line is wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure::new(Status::Usage, Diagnostic::error(message))
    }

    /// An operation on sets failed while doing `what`.
    pub fn in_stage(what: &str, error: &Error) -> Self {
        let status = match error {
            Error::Exceeded { .. } => Status::Limit,
            _ => Status::Refused,
        };
        Failure::new(status, Diagnostic::error(format!("{what}: {error}")))
    }

    /// All diagnostics of the front end.
    pub fn from_diagnostics(diagnostics: &[loopwright_cfront::Diagnostic]) -> Self {
        let diagnostics = diagnostics.iter().map(Diagnostic::from).collect();
        Failure { status: Status::Refused, diagnostics }
    }

    /// The same with notes on what was said last.
    pub fn with_notes(self, notes: impl IntoIterator<Item = String>) -> Self {
        self.with_last(|last| notes.into_iter().fold(last, Diagnostic::note))
    }

    /// The same with an advice on what was said last.
    pub fn with_help(self, help: impl Into<String>) -> Self {
        self.with_last(|last| last.help(help))
    }

    fn with_last(mut self, change: impl FnOnce(Diagnostic) -> Diagnostic) -> Self {
        let last = self.diagnostics.pop().map(change);
        self.diagnostics.extend(last);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut texts: Vec<String> = self.diagnostics.iter().map(Diagnostic::to_string).collect();
        let mut codes: Vec<&str> =
            self.diagnostics.iter().filter_map(|d| d.code).map(|code| code.as_str()).collect();
        codes.sort_unstable();
        codes.dedup();
        if !codes.is_empty() {
            texts.push(match &codes[..] {
                [code] => format!("`loopwright explain {code}` tells more about it"),
                codes => format!("`loopwright explain CODE` tells more about {}", codes.join(", ")),
            });
        }
        f.write_str(&texts.join("\n\n"))
    }
}

impl std::error::Error for Failure {}
