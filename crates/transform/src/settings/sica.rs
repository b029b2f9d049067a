//! The choices of SICA ([`crate::tile::sica`]).
use std::fmt;

/// The choices that SICA leaves to its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sica {
    /// Which loops are tiled.
    pub levels: Levels,
    /// The share of the first level cache that a tile fills.
    pub share: Share,
    /// Whether all blocks are tiled alike.
    pub blocks: Blocks,
}

/// Which loops are tiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// The vector loop.
    One,
    /// The vector loop and the outermost other one.
    Two,
}

/// Whether all blocks are tiled alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// Each block by its own references.
    Own,
    /// All with the least size of any.
    Least,
    /// All with the greatest size of any.
    Greatest,
    /// All with this size.
    Same(i64),
}

/// A share of a cache, as a fraction. It may be greater than one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub(crate) numerator: u64,
    pub(crate) denominator: u64,
}

impl Default for Sica {
    /// Two levels, nine tenths of the cache (the best in the paper's experiments), own sizes.
    fn default() -> Self {
        let share = Share { numerator: 9, denominator: 10 };
        Sica { levels: Levels::Two, share, blocks: Blocks::Own }
    }
}

impl Share {
    /// The share that a decimal number names; none if it is not a positive one with at most six
    /// digits before and after the point.
    ///
    /// ```
    /// use loopwright_transform::tile::sica::Share;
    /// assert_eq!(Share::parse("0.50"), Share::parse(".5"));
    /// assert!(Share::parse("2").is_some() && Share::parse("0.0").is_none());
    /// ```
    pub fn parse(text: &str) -> Option<Share> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let fraction = fraction.trim_end_matches('0');
        let is_number =
            |digits: &str| digits.len() <= 6 && digits.bytes().all(|digit| digit.is_ascii_digit());
        if !is_number(whole) || !is_number(fraction) {
            return None;
        }
        let numerator = format!("0{whole}{fraction}").parse().ok().filter(|&n| n > 0)?;
        let denominator = 10u64.pow(u32::try_from(fraction.len()).ok()?);
        Some(Share { numerator, denominator })
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.numerator / self.denominator)?;
        match self.numerator % self.denominator {
            0 => Ok(()),
            rest => {
                let digits = self.denominator.ilog10() as usize;
                write!(f, ".{rest:0digits$}")
            }
        }
    }
}
