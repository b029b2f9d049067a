//! The marks above loops over tiles whose sizes are only known when the program runs.
use loopwright_presburger::Name;
use std::fmt;

/// A mark above loops over the *origins* of tiles: as many band members below it as it has names of sizes, in
/// one or several bands with nothing but marks between them.
///
/// The member of a size `s` in the tree is the one that is tiled, as in tiles of one value; the loop that is
/// meant takes the greatest multiple of `s` that is at most that value, for any `s` of one or more. Sizes are
/// symbolic constants.
///
/// ```
/// use loopwright_schedule::OriginMark;
/// let mark = OriginMark::parse("origins(tile_0, tile_1)").unwrap();
/// assert_eq!(mark.sizes.len(), 2);
/// assert_eq!(mark.to_string(), "origins(tile_0, tile_1)");
/// assert!(OriginMark::parse("parallel").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OriginMark {
    /// The names of the sizes, those of outer loops first.
    pub sizes: Vec<Name>,
}

impl OriginMark {
    /// Reads the text of a mark; none if it is another mark.
    pub fn parse(text: &str) -> Option<OriginMark> {
        let names = text.strip_prefix("origins(")?.strip_suffix(')')?;
        let sizes: Vec<Name> = names.split(',').map(|name| name.trim().into()).collect();
        sizes.iter().all(|name| !name.is_empty()).then_some(OriginMark { sizes })
    }
}

impl fmt::Display for OriginMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "origins({})", self.sizes.join(", "))
    }
}
