//! Why a statement has no result.
use loopwright_presburger::Error;

/// What is wrong, and where in the text of the statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A byte position in the text.
    pub position: usize,
    /// What was expected and what was found, or why there is no result.
    pub message: String,
    /// Whether it is a limit that was reached: on work, on sizes of values, on exponents or elements.
    pub is_limit: bool,
}

/// A result or a problem.
pub(super) type Outcome<T> = Result<T, Problem>;

impl Problem {
    pub(super) fn new(position: usize, message: impl Into<String>) -> Self {
        Problem { position, message: message.into(), is_limit: false }
    }

    /// A limit that was reached.
    pub(super) fn limit(position: usize, message: impl Into<String>) -> Self {
        Problem { is_limit: true, ..Problem::new(position, message) }
    }

    /// An error of an operation that stands at a position.
    pub(super) fn of(position: usize, error: &Error) -> Self {
        let found = match error {
            Error::Parse { position: inside, message } => {
                Problem::new(position + inside, message.clone())
            }
            other => Problem::new(position, other.to_string()),
        };
        Problem { is_limit: error.is_limit(), ..found }
    }

    /// The message with the name of the text, line and column, the line, and a caret.
    pub fn explain(&self, name: &str, text: &str) -> String {
        let error = Error::Parse { position: self.position, message: self.message.clone() };
        format!("{name}:{}", error.explain(text))
    }
}
