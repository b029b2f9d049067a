//! The marks by which transformations declare arrays.
use loopwright_presburger::Name;
use std::fmt;

/// A mark whose subtree has an array for itself: each time the code for the subtree is reached,
/// there is a new array of this (tuple) name, without values.
///
/// ```
/// use loopwright_schedule::LocalMark;
/// let mark = LocalMark::parse("local(A_panel)").unwrap();
/// assert_eq!(&*mark.array, "A_panel");
/// assert_eq!(mark.to_string(), "local(A_panel)");
/// assert!(LocalMark::parse("vector").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LocalMark {
    /// The tuple name of the array.
    pub array: Name,
}

impl LocalMark {
    /// Reads the text of a mark; none if it is another mark.
    pub fn parse(text: &str) -> Option<LocalMark> {
        let name = text.strip_prefix("local(")?.strip_suffix(')')?;
        Some(LocalMark { array: name.into() })
    }
}

impl fmt::Display for LocalMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "local({})", self.array)
    }
}
