//! The marks by which transformations tell code generation how a loop is to run.
//!
//! A mark node directly above a band speaks about the loop of the band's first member.
use loopwright_presburger::Name;
use std::fmt;

/// The mark above a loop whose iterations the compiler should run in vector lanes.
pub const VECTOR_MARK: &str = "vector";

/// The mark above a loop whose iterations run in parallel: `parallel` or `parallel private(a, b)`.
///
/// ```
/// use loopwright_schedule::ParallelMark;
/// let mark = ParallelMark::parse("parallel private(a, b)").unwrap();
/// assert_eq!(mark.private.len(), 2);
/// assert_eq!(mark.to_string(), "parallel private(a, b)");
/// assert!(ParallelMark::parse("vector").is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParallelMark {
    /// The scalars of which each iteration has its own copy (tuple names of the scop).
    pub private: Vec<Name>,
}

impl ParallelMark {
    /// Reads the text of a mark; none if it is another mark.
    pub fn parse(text: &str) -> Option<ParallelMark> {
        let rest = text.strip_prefix("parallel")?.trim();
        if rest.is_empty() {
            return Some(ParallelMark::default());
        }
        let list = rest.strip_prefix("private(")?.strip_suffix(')')?;
        let private = list.split(',').map(|name| Name::from(name.trim())).collect();
        Some(ParallelMark { private })
    }
}

impl fmt::Display for ParallelMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "parallel")?;
        if !self.private.is_empty() {
            write!(f, " private({})", self.private.join(", "))?;
        }
        Ok(())
    }
}
