//! How a command ended.
use loopwright::{Diagnostic, Failure, Status};

/// What came of a command.
pub(super) struct Ended {
    /// Messages that have not been printed.
    pub(super) unsaid: Vec<Diagnostic>,
    /// Why there is no result, if that has not been printed.
    pub(super) failure: Option<Failure>,
    pub(super) status: Status,
}

impl Ended {
    pub(super) fn with(unsaid: Vec<Diagnostic>, result: Result<(), Failure>) -> Self {
        let failure = result.err();
        let status = failure.as_ref().map_or(Status::Done, |failure| failure.status);
        Ended { unsaid, failure, status }
    }
}

impl From<Result<(), Failure>> for Ended {
    fn from(result: Result<(), Failure>) -> Self {
        Ended::with(Vec::new(), result)
    }
}
