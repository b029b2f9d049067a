//! A recursion over zoids for given numbers: the pieces that are executed step by step, and in which order.
use super::{ZoidCut, ZoidForm, ZoidPiece, ZoidRecursion, ZoidValue};

/// A zoid of numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ZoidBounds {
    /// The first moment.
    pub first: i64,
    /// The moment behind the last one.
    pub end: i64,
    /// Along each axis: the first position at the first moment, its slope, the position behind the last one,
    /// and its slope.
    pub lines: Vec<[i64; 4]>,
}

/// What becomes of a zoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnfoldedZoid {
    /// It is executed step by step.
    Steps(ZoidBounds),
    /// Its pieces are: phases one after the other, the pieces of each at one time.
    Phases(Vec<Vec<UnfoldedZoid>>),
}

impl ZoidBounds {
    /// A box of moments and positions, each from the first to the last one.
    #[must_use]
    pub fn of_box(extents: &[(i64, i64)]) -> Self {
        let behind = |last: i64| last.saturating_add(1);
        let (first, end) = extents.first().map_or((0, 0), |(first, last)| (*first, behind(*last)));
        let lines = extents.iter().skip(1).map(|(low, last)| [*low, 0, behind(*last), 0]);
        ZoidBounds { first, end, lines: lines.collect() }
    }

    /// Whether it has a point of a moment with these positions.
    ///
    /// ```
    /// use loopwright_scop::ZoidBounds;
    /// let triangle = ZoidBounds { first: 2, end: 5, lines: vec![[7, -1, 7, 1]] };
    /// assert!(triangle.contains(&[4, 8]) && !triangle.contains(&[4, 9]) && !triangle.contains(&[5, 7]));
    /// ```
    #[must_use]
    pub fn contains(&self, point: &[i64]) -> bool {
        let Some((moment, positions)) = point.split_first() else { return false };
        let s = moment - self.first;
        let is_between = |(line, x): (&[i64; 4], &i64)| {
            line[0] + line[1] * s <= *x && *x < line[2] + line[3] * s
        };
        (self.first..self.end).contains(moment) && self.lines.iter().zip(positions).all(is_between)
    }
}

impl UnfoldedZoid {
    /// The number of zoids that are executed one after the other, if pieces of a phase run at one time.
    ///
    /// ```
    /// use loopwright_scop::{ZoidAxis, ZoidBounds, ZoidRecursion};
    /// let recursion = ZoidRecursion::new(4, vec![ZoidAxis { least: -1, greatest: 1, width: 4 }]);
    /// let waves = |n: i64| recursion.unfolded(&ZoidBounds::of_box(&[(0, 3), (0, n - 1)]), 1000).map(|whole| whole.n_waves());
    /// // At most one more each time that the width is doubled.
    /// assert_eq!([8, 16, 32, 64].map(waves), [Some(1), Some(2), Some(2), Some(3)]);
    /// ```
    #[must_use]
    pub fn n_waves(&self) -> u64 {
        match self {
            UnfoldedZoid::Steps(_) => 1,
            UnfoldedZoid::Phases(phases) => {
                let longest = |phase: &Vec<UnfoldedZoid>| phase.iter().map(Self::n_waves).max();
                phases.iter().filter_map(longest).sum()
            }
        }
    }
}

/// Where a zoid is cut: its values along an axis.
struct Place<'a> {
    zoid: &'a ZoidBounds,
    axis: usize,
    middle: i64,
}

impl Place<'_> {
    fn value(&self, form: &ZoidForm) -> Option<i64> {
        let line = self.zoid.lines.get(self.axis).copied().unwrap_or([0; 4]);
        form.value(&|value| match value {
            ZoidValue::First => self.zoid.first,
            ZoidValue::End => self.zoid.end,
            ZoidValue::Height => self.zoid.end.saturating_sub(self.zoid.first),
            ZoidValue::Low => line[0],
            ZoidValue::LowSlope => line[1],
            ZoidValue::High => line[2],
            ZoidValue::HighSlope => line[3],
            ZoidValue::Middle => self.middle,
        })
    }

    /// The lines of a piece along the axis.
    fn lines(&self, piece: &ZoidPiece) -> Option<[i64; 4]> {
        let ZoidPiece { low, low_slope, high, high_slope, .. } = piece;
        Some([self.value(low)?, self.value(low_slope)?, self.value(high)?, self.value(high_slope)?])
    }
}

impl ZoidRecursion {
    /// What it makes of a zoid; none if it has more than `limit` pieces that are executed step by step, calls
    /// do not end, or numbers are no machine words.
    ///
    /// ```
    /// use loopwright_scop::{UnfoldedZoid, ZoidAxis, ZoidBounds, ZoidRecursion};
    /// let recursion = ZoidRecursion::new(4, vec![ZoidAxis { least: -1, greatest: 1, width: 4 }]);
    /// let whole = ZoidBounds::of_box(&[(0, 3), (0, 19)]);
    /// let Some(UnfoldedZoid::Phases(phases)) = recursion.unfolded(&whole, 100) else { panic!() };
    /// let triangle = ZoidBounds { first: 0, end: 4, lines: vec![[10, -1, 10, 1]] };
    /// assert_eq!(phases[1], [UnfoldedZoid::Steps(triangle)]);
    /// ```
    ///
    /// *Cost.* In proportion to the number of pieces.
    #[must_use]
    pub fn unfolded(&self, zoid: &ZoidBounds, limit: usize) -> Option<UnfoldedZoid> {
        cut(self, zoid, &mut Left { pieces: limit, depth: MOST_DEPTH })
    }
}

/// Calls inside of each other, at most: each cut halves something.
const MOST_DEPTH: usize = 500;

/// How much may still be made.
struct Left {
    pieces: usize,
    depth: usize,
}

fn cut(recursion: &ZoidRecursion, zoid: &ZoidBounds, left: &mut Left) -> Option<UnfoldedZoid> {
    for cut in &recursion.cuts {
        let place = Place { zoid, axis: cut.axis.unwrap_or(0), middle: 0 };
        let values = cut.conditions.iter().map(|form| place.value(form));
        if values.collect::<Option<Vec<i64>>>()?.iter().all(|value| *value >= 0) {
            left.depth = left.depth.checked_sub(1)?;
            let found = pieces(recursion, cut, zoid, left);
            left.depth += 1;
            return found;
        }
    }
    left.pieces = left.pieces.checked_sub(1)?;
    Some(UnfoldedZoid::Steps(zoid.clone()))
}

fn pieces(
    recursion: &ZoidRecursion,
    cut: &ZoidCut,
    zoid: &ZoidBounds,
    left: &mut Left,
) -> Option<UnfoldedZoid> {
    let at = |axis: usize| -> Option<Place<'_>> {
        let place = Place { zoid, axis, middle: 0 };
        let middle = place.value(&cut.twice_middle)? / 2;
        Some(Place { middle, ..place })
    };
    let mut phases = Vec::with_capacity(cut.phases.len());
    for phase in &cut.phases {
        let mut own = Vec::with_capacity(phase.len());
        for piece in phase {
            let time = at(cut.axis.unwrap_or(0))?;
            let (first, end) = (time.value(&piece.first)?, time.value(&piece.end)?);
            let lines = (0..zoid.lines.len()).map(|axis| match cut.axis {
                Some(own) if own != axis => zoid.lines.get(axis).copied(),
                _ => at(axis)?.lines(piece),
            });
            let piece = ZoidBounds { first, end, lines: lines.collect::<Option<_>>()? };
            own.push(self::cut(recursion, &piece, left)?);
        }
        phases.push(own);
    }
    Some(UnfoldedZoid::Phases(phases))
}
