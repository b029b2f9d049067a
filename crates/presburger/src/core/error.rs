//! What can go wrong in operations on sets.
use std::fmt;

/// The result of an operation on sets.
///
/// ```
/// # use loopwright_presburger::Set;
/// fn count(text: &str) -> loopwright_presburger::Result<usize> {
///     Ok(Set::parse(text)?.basic_sets().len())
/// }
/// assert_eq!(count("{ [i] : i > 3 or i < 0 }"), Ok(2));
/// assert!(count("{ [i").is_err());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation on sets has no result.
///
/// ```
/// # use loopwright_presburger::Set;
/// let set = Set::parse("{ S[i] }")?;
/// let error = set.intersect(&Set::parse("{ T[i] }")?).unwrap_err();
/// assert_eq!(error.to_string(), "intersect: the spaces { S[i] } and { T[i] } do not match");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
        /// The operation that the caller asked for.
        operation: &'static str,
        /// The method inside of it that was running.
        method: &'static str,
        /// The steps that had been spent.
        steps: u64,
        /// How far the operation had come, where it goes through parts.
        reached: Option<Reached>,
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

/// How far an operation had come.
///
/// ```
/// # use loopwright_presburger::{Budget, Error, Map, Reached};
/// let a = Map::parse("{ S[i, j] -> A[x] : x > i or x < j or x = 5 }")?;
/// let b = Map::parse("{ S[i, j] -> A[x] : x > 9 + j or x < 0 or x = 7 }")?;
/// let error = a.intersect_within(&b, &Budget::steps(1)).unwrap_err();
/// let Error::Exceeded { reached: Some(Reached { done, total, .. }), .. } = error else {
///     unreachable!("the budget is too small")
/// };
/// assert_eq!((done, total), (0, 3));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reached {
    /// The operation that goes through the parts.
    pub operation: &'static str,
    /// The parts that were done.
    pub done: usize,
    /// All parts.
    pub total: usize,
}

/// Naming the operation in whose course an error has come up.
pub(crate) trait During: Sized {
    /// Says that `operation` has not been finished; the outermost operation is named, and that one
    /// of the outermost which goes through parts.
    fn during(self, operation: &'static str) -> Self;

    /// The same, after `done` of the `total` parts of the operation.
    fn during_part(self, operation: &'static str, done: usize, total: usize) -> Self;
}

impl During for Error {
    fn during(mut self, outer: &'static str) -> Self {
        if let Error::Exceeded { operation, .. } = &mut self {
            *operation = outer;
        }
        self
    }

    fn during_part(self, outer: &'static str, done: usize, total: usize) -> Self {
        let mut error = self.during(outer);
        if let Error::Exceeded { reached, .. } = &mut error {
            *reached = Some(Reached { operation: outer, done, total });
        }
        error
    }
}

impl<T> During for Result<T> {
    fn during(self, operation: &'static str) -> Self {
        self.map_err(|error| error.during(operation))
    }

    fn during_part(self, operation: &'static str, done: usize, total: usize) -> Self {
        self.map_err(|error| error.during_part(operation, done, total))
    }
}

/// How much of a line is shown with an error, and how much of it before the place.
const SHOWN: usize = 400;
const SHOWN_BEFORE: usize = 200;

/// The message about text that would take a deep stack to read.
pub(crate) const TOO_DEEP: &str = "the expression is nested too deeply";

impl Error {
    /// Whether a limit was reached: on work, on memory, or on how deep a text nests.
    ///
    /// ```
    /// # use loopwright_presburger::{Error, Set};
    /// let deep = format!("{{ [i] : {}i > 0{} }}", "(".repeat(1000), ")".repeat(1000));
    /// assert!(Set::parse(&deep).unwrap_err().is_limit());
    /// assert!(!Set::parse("{ [i").unwrap_err().is_limit());
    /// ```
    pub fn is_limit(&self) -> bool {
        match self {
            Error::Exceeded { .. } => true,
            Error::Parse { message, .. } => message == TOO_DEEP,
            _ => false,
        }
    }

    /// That something is too large for an operation, whatever the budget.
    ///
    /// ```
    /// # use loopwright_presburger::Error;
    /// let error = Error::too_large("the example");
    /// assert_eq!(error.to_string(), "the limit was exceeded in the example");
    /// ```
    pub fn too_large(operation: &'static str) -> Self {
        Error::Exceeded { operation, method: operation, steps: 0, reached: None }
    }

    /// The message for the one who wrote `text`: for a parse error the line and the column, the line
    /// itself, and a caret below the place. Of a long line only the part around the place is shown.
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
        let column = 1 + before.chars().count();
        let n_left_out = column.saturating_sub(1 + SHOWN_BEFORE);
        let indent = before.chars().skip(n_left_out);
        let indent: String = indent.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let shown: String = line.chars().skip(n_left_out).take(SHOWN).collect();
        format!("{number}:{column}: {message}\n {shown}\n {indent}^")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::SpaceMismatch { operation, left, right } => {
                write!(f, "{operation}: the spaces {left} and {right} do not match")
            }
            Error::Exceeded { operation, steps: 0, .. } => {
                write!(f, "the limit was exceeded in {operation}")
            }
            Error::Exceeded { operation, method, steps, reached } => {
                write!(f, "the budget ran out in {operation}")?;
                if let Some(Reached { operation: parts, done, total }) = reached {
                    let of = if parts == operation { "" } else { " of " };
                    let parts = if parts == operation { "" } else { parts };
                    write!(f, ", with {done} of {total} parts{of}{parts} done")?;
                }
                write!(f, ", after {steps} steps")?;
                if method == operation { Ok(()) } else { write!(f, " (in {method})") }
            }
            Error::Invalid { operation, reason } => write!(f, "{operation}: {reason}"),
            Error::Parse { position, message } => write!(f, "at byte {position}: {message}"),
        }
    }
}

impl std::error::Error for Error {}
