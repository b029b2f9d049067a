//! The mark of a statement whose loop is searched for its exit by threads.
use std::fmt;

/// A mark around a statement that is a loop which ends early: threads look for the least iteration that ends
/// it, chunk by chunk, and do the work of those in front of it. `search(assumed)` if it is taken for granted
/// that what iterations behind the exit look at is there.
///
/// ```
/// use loopwright_schedule::SearchMark;
/// let mark = SearchMark::parse("search(assumed)").unwrap();
/// assert!(mark.is_assumed && !SearchMark::parse("search").unwrap().is_assumed);
/// assert_eq!(mark.to_string(), "search(assumed)");
/// assert!(SearchMark::parse("parallel").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SearchMark {
    /// Whether nothing proves that what is read behind the exit is there.
    pub is_assumed: bool,
}

impl SearchMark {
    /// Reads the text of a mark; none if it is another mark.
    pub fn parse(text: &str) -> Option<SearchMark> {
        match text {
            "search" => Some(SearchMark { is_assumed: false }),
            "search(assumed)" => Some(SearchMark { is_assumed: true }),
            _ => None,
        }
    }
}

impl fmt::Display for SearchMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_assumed { "search(assumed)" } else { "search" })
    }
}
