//! Widening of what recurrences ask for.
//!
//! The affine hull keeps how instances of the two programs correspond and drops which instances are asked
//! for. That is what a recurrence needs, unless the first time around is special (the last tile is smaller
//! than others): then hulls of later times are right. What still turns out to be wrong is left out; at last
//! the simple hull keeps bounds of instances, too, and after that recurrences are unrolled.
use loopwright_presburger::{Budget, Map, Result};

/// A way to widen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Widening {
    /// How often a pair has to ask for itself before.
    pub(crate) delay: usize,
    /// Whether what is known to be wrong is left out.
    pub(crate) leaves_refuted: bool,
    keeps_bounds: bool,
}

impl Widening {
    /// The way to try after so many failures; none once all have failed.
    pub(crate) fn after(failures: usize) -> Option<Self> {
        let of = |delay, leaves_refuted, keeps_bounds| {
            Some(Widening { delay, leaves_refuted, keeps_bounds })
        };
        match failures {
            0..=3 => of(failures, false, false),
            4..=11 => of(1, true, false),
            12..=15 => of(failures - 12, false, true),
            16..=19 => of(1, true, true),
            _ => None,
        }
    }

    /// A relation that has what is asked and what was asked earlier.
    pub(crate) fn hull(self, asked: &Map, earlier: &Map, budget: &Budget) -> Result<Map> {
        let both = asked.union(earlier)?;
        let hull = match self.keeps_bounds {
            false => both.affine_hull(budget)?,
            true => both.simple_hull(budget)?,
        };
        Ok(Map::from_basic_map(hull))
    }
}
