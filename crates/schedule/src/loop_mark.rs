//! The marks by which transformations tell code generation how a loop is to run.
use loopwright_presburger::Name;
use std::fmt;

/// How the iterations of a marked loop run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// On several threads.
    Parallel,
    /// In vector lanes.
    Vector,
}

/// A mark above a band whose first member's loop has independent iterations: `parallel`, `vector`,
/// or one of these with the scalars of which each iteration has its own copy.
///
/// ```
/// use loopwright_schedule::{LoopKind, LoopMark};
/// let mark = LoopMark::parse("parallel private(a, b)").unwrap();
/// assert_eq!(mark.kind, LoopKind::Parallel);
/// assert_eq!(mark.private.len(), 2);
/// assert_eq!(mark.to_string(), "parallel private(a, b)");
/// assert!(LoopMark::parse("copy in").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopMark {
    /// How the iterations run.
    pub kind: LoopKind,
    /// The scalars of which each iteration has its own copy (tuple names of the scop).
    pub private: Vec<Name>,
}

impl LoopKind {
    fn keyword(self) -> &'static str {
        match self {
            LoopKind::Parallel => "parallel",
            LoopKind::Vector => "vector",
        }
    }
}

impl LoopMark {
    /// Reads the text of a mark; none if it is another mark.
    pub fn parse(text: &str) -> Option<LoopMark> {
        let kinds = [LoopKind::Parallel, LoopKind::Vector];
        let read = |kind: &LoopKind| Some((*kind, text.strip_prefix(kind.keyword())?));
        let (kind, rest) = kinds.iter().find_map(read)?;
        let rest = rest.trim();
        if rest.is_empty() {
            return Some(LoopMark { kind, private: Vec::new() });
        }
        let list = rest.strip_prefix("private(")?.strip_suffix(')')?;
        let private = list.split(',').map(|name| Name::from(name.trim())).collect();
        Some(LoopMark { kind, private })
    }
}

impl fmt::Display for LoopMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind.keyword())?;
        if !self.private.is_empty() {
            write!(f, " private({})", self.private.join(", "))?;
        }
        Ok(())
    }
}
