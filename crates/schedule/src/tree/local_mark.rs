//! The marks by which transformations declare arrays.
use loopwright_presburger::Name;
use std::fmt;

/// Where an array is that a part of a tree has for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemorySpace {
    /// In the memory of the thread of the processor that runs the subtree.
    Local,
    /// On a device, in memory that the threads of a block share; each block has one.
    Shared,
    /// On a device, in registers; each thread has one.
    Registers,
}

impl MemorySpace {
    const KEYWORDS: [(MemorySpace, &str); 3] = [
        (MemorySpace::Local, "local"),
        (MemorySpace::Shared, "shared"),
        (MemorySpace::Registers, "registers"),
    ];

    /// The word in the text of a mark.
    pub fn keyword(self) -> &'static str {
        let known = Self::KEYWORDS.iter().find(|(space, _)| *space == self);
        known.map_or("", |(_, word)| word)
    }

    /// Whether it belongs to a device.
    pub fn is_on_device(self) -> bool {
        self != MemorySpace::Local
    }
}

/// A mark whose subtree has an array for itself: each time the code for the subtree is reached,
/// there is a new array of this (tuple) name, without values.
///
/// ```
/// use loopwright_schedule::{LocalMark, MemorySpace};
/// let mark = LocalMark::parse("local(A_panel)").unwrap();
/// assert_eq!(&*mark.array, "A_panel");
/// assert_eq!(mark.to_string(), "local(A_panel)");
/// let mark = LocalMark::parse("shared(A_tile)").unwrap();
/// assert_eq!(mark.space, MemorySpace::Shared);
/// assert_eq!(mark.to_string(), "shared(A_tile)");
/// assert_eq!(LocalMark::parse("registers(C_result)").unwrap().space, MemorySpace::Registers);
/// assert!(LocalMark::parse("vector").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LocalMark {
    /// Where the array is.
    pub space: MemorySpace,
    /// The tuple name of the array.
    pub array: Name,
}

impl LocalMark {
    /// The mark of an array on the processor.
    pub fn local(array: Name) -> LocalMark {
        LocalMark { space: MemorySpace::Local, array }
    }

    /// Reads the text of a mark; none if it is another mark.
    pub fn parse(text: &str) -> Option<LocalMark> {
        let (word, name) = text.strip_suffix(')')?.split_once('(')?;
        let known = MemorySpace::KEYWORDS.iter().find(|(_, keyword)| *keyword == word);
        known.map(|(space, _)| LocalMark { space: *space, array: name.into() })
    }
}

impl fmt::Display for LocalMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.space.keyword(), self.array)
    }
}
