//! Zoids, and how a function that is called for one cuts it into others.
//!
//! A *zoid* is a set of points `(F, X_1, .., X_d)` of time and space between two moments and, along each
//! axis, two lines: `first <= F < end` and
//! `low + low_slope (F - first) <= X < high + high_slope (F - first)`. A recursion over zoids is a list of
//! cuts. The first one whose conditions hold is taken: the function calls itself for the pieces, phase by
//! phase, those of a phase at one time. Where none holds the points are executed step by step.
//!
//! Pieces are written in terms of the zoid that is cut ([`ZoidForm`]), so that a printer and a proof have the
//! same cuts.
//!
//! *Source.* Frigo and Strumpen, "Cache oblivious stencil computations", ICS 2005, and "The cache complexity
//! of multithreaded cache oblivious algorithms", SPAA 2006 (cuts in space whose outer pieces run in
//! parallel).

mod unfolded;

pub use unfolded::{UnfoldedZoid, ZoidBounds};

/// A number that is known where a zoid is cut along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ZoidValue {
    /// The first moment.
    First,
    /// The moment behind the last one.
    End,
    /// The number of moments.
    Height,
    /// The first position along the axis at the first moment.
    Low,
    /// By how much it grows per moment.
    LowSlope,
    /// The position behind the last one at the first moment.
    High,
    /// By how much it grows per moment.
    HighSlope,
    /// A half of [`ZoidCut::twice_middle`], rounded to any of the two whole numbers beside it.
    Middle,
}

/// A sum of products of values, each with a factor.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ZoidForm {
    /// Factors, and the values that are multiplied with them: none for a constant.
    pub terms: Vec<(i64, Vec<ZoidValue>)>,
}

/// A zoid along one axis, by values of the one that is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoidPiece {
    /// The first moment.
    pub first: ZoidForm,
    /// The moment behind the last one.
    pub end: ZoidForm,
    /// The first position at the first moment.
    pub low: ZoidForm,
    /// By how much it grows per moment.
    pub low_slope: ZoidForm,
    /// The position behind the last one at the first moment.
    pub high: ZoidForm,
    /// By how much it grows per moment.
    pub high_slope: ZoidForm,
}

/// How a zoid is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoidCut {
    /// The axis along which pieces differ; none if they differ in time, and along each axis in the same way.
    pub axis: Option<usize>,
    /// The cut is made where none of these is negative.
    pub conditions: Vec<ZoidForm>,
    /// Twice the value [`ZoidValue::Middle`] of pieces.
    pub twice_middle: ZoidForm,
    /// The pieces: those of a phase may run at one time, phases one after the other.
    pub phases: Vec<Vec<ZoidPiece>>,
}

/// The positions along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoidAxis {
    /// The least distance of dependences per moment, at most 0.
    pub least: i64,
    /// The greatest one, at least 0.
    pub greatest: i64,
    /// Outer pieces of a cut are no narrower.
    pub width: i64,
}

/// A recursion over zoids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoidRecursion {
    /// The axes.
    pub axes: Vec<ZoidAxis>,
    /// The cuts, in the order in which they are tried.
    pub cuts: Vec<ZoidCut>,
}

impl ZoidForm {
    /// One value.
    #[must_use]
    pub fn of(value: ZoidValue) -> Self {
        ZoidForm { terms: vec![(1, vec![value])] }
    }

    /// A constant.
    #[must_use]
    pub fn constant(value: i64) -> Self {
        ZoidForm { terms: if value == 0 { Vec::new() } else { vec![(value, Vec::new())] } }
    }

    /// The sum with a product of values.
    ///
    /// ```
    /// use loopwright_scop::{ZoidForm, ZoidValue};
    /// let low_at_end = ZoidForm::of(ZoidValue::Low).plus(1, &[ZoidValue::LowSlope, ZoidValue::Height]);
    /// assert_eq!(low_at_end.text(&|value| format!("{value:?}")), "Low + LowSlope * Height");
    /// assert_eq!(low_at_end.value(&|value| if value == ZoidValue::Low { 4 } else { -3 }), Some(13));
    /// ```
    #[must_use]
    pub fn plus(mut self, factor: i64, values: &[ZoidValue]) -> Self {
        match self.terms.iter_mut().find(|(_, known)| known == values) {
            Some((known, _)) => *known = known.saturating_add(factor),
            None => self.terms.push((factor, values.to_vec())),
        }
        self.terms.retain(|(factor, _)| *factor != 0);
        self
    }

    /// The sum with a multiple of another form.
    #[must_use]
    pub fn plus_times(self, factor: i64, other: &ZoidForm) -> Self {
        let add = |sum: ZoidForm, (own, values): &(i64, Vec<ZoidValue>)| {
            sum.plus(own.saturating_mul(factor), values)
        };
        other.terms.iter().fold(self, add)
    }

    /// Its value; none if it is no machine word.
    pub fn value(&self, of: &impl Fn(ZoidValue) -> i64) -> Option<i64> {
        self.terms.iter().try_fold(0i64, |sum, (factor, values)| {
            let product =
                values.iter().try_fold(*factor, |product, value| product.checked_mul(of(*value)));
            sum.checked_add(product?)
        })
    }

    /// The form as an expression of C.
    pub fn text(&self, of: &impl Fn(ZoidValue) -> String) -> String {
        let mut text = String::new();
        for (factor, values) in &self.terms {
            let sign = match (factor.is_negative(), text.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            let mut factors: Vec<String> = values.iter().map(|value| of(*value)).collect();
            if factor.unsigned_abs() != 1 || factors.is_empty() {
                factors.insert(0, factor.unsigned_abs().to_string());
            }
            text += sign;
            text += &factors.join(" * ");
        }
        if text.is_empty() { "0".to_string() } else { text }
    }
}

impl ZoidPiece {
    /// The whole zoid.
    #[must_use]
    pub fn whole() -> Self {
        ZoidPiece {
            first: ZoidForm::of(ZoidValue::First),
            end: ZoidForm::of(ZoidValue::End),
            low: ZoidForm::of(ZoidValue::Low),
            low_slope: ZoidForm::of(ZoidValue::LowSlope),
            high: ZoidForm::of(ZoidValue::High),
            high_slope: ZoidForm::of(ZoidValue::HighSlope),
        }
    }
}

impl ZoidRecursion {
    /// Cuts in space along each axis, the first axis first, and in time where there is none and more than
    /// `steps` moments are left.
    ///
    /// *Cut in space.* With the slopes `l <= 0 <= u` of the dependences and the height `h`, lines of both
    /// slopes from one position `m` at the first moment have two outer pieces beside them, left of `m + l s`
    /// and right of `m + u s` at moment `s`, and a triangle between them. Dependences lead from the outer
    /// pieces into the triangle, and neither back nor from one to the other. The lines stay in the zoid until
    /// its end if `lo <= m <= hi`, with `lo = low + (low_slope - l) h` and `hi = high + (high_slope - u) h`;
    /// `m` is in the middle, and the cut is made where it leaves enough at the end: both outer pieces have
    /// the width of the axis there, and as much as a half of the triangle.
    ///
    /// *Cut in time.* The earlier half, then the later one.
    ///
    /// Sizes below 1 count as 1.
    ///
    /// ```
    /// use loopwright_scop::{ZoidAxis, ZoidRecursion};
    /// let axis = ZoidAxis { least: -1, greatest: 1, width: 8 };
    /// let recursion = ZoidRecursion::new(4, vec![axis]);
    /// assert_eq!(recursion.cuts[0].phases.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    /// assert_eq!(recursion.cuts[1].phases.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    /// ```
    #[must_use]
    pub fn new(steps: i64, axes: Vec<ZoidAxis>) -> Self {
        let space = axes.iter().enumerate().map(|(at, axis)| cut_in_space(at, axis));
        let cuts = space.chain([cut_in_time(steps.max(1))]).collect();
        ZoidRecursion { axes, cuts }
    }
}

fn cut_in_space(at: usize, axis: &ZoidAxis) -> ZoidCut {
    use ZoidValue::{Height, High, HighSlope, Low, LowSlope, Middle};
    let ZoidAxis { least, greatest, width } = *axis;
    let lo = ZoidForm::of(Low).plus(1, &[LowSlope, Height]).plus(-least, &[Height]);
    let hi = ZoidForm::of(High).plus(1, &[HighSlope, Height]).plus(-greatest, &[Height]);
    let room = hi.clone().plus_times(-1, &lo);
    let spread = greatest.saturating_sub(least);
    let conditions = vec![
        ZoidForm::of(Height).plus(-1, &[]),
        room.clone().plus(width.max(1).saturating_mul(-2), &[]),
        room.plus(-spread, &[Height]),
    ];
    let middle = |slope: i64| (ZoidForm::of(Middle), ZoidForm::constant(slope));
    let (falling, rising) = (middle(least), middle(greatest));
    let whole = ZoidPiece::whole;
    let left = ZoidPiece { high: falling.0.clone(), high_slope: falling.1.clone(), ..whole() };
    let right = ZoidPiece { low: rising.0.clone(), low_slope: rising.1.clone(), ..whole() };
    let between = ZoidPiece {
        low: falling.0,
        low_slope: falling.1,
        high: rising.0,
        high_slope: rising.1,
        ..whole()
    };
    let twice_middle = lo.plus_times(1, &hi);
    let phases = vec![vec![left, right], vec![between]];
    ZoidCut { axis: Some(at), conditions, twice_middle, phases }
}

fn cut_in_time(steps: i64) -> ZoidCut {
    use ZoidValue::{First, Height, High, HighSlope, Low, LowSlope, Middle};
    let moment = ZoidForm::of(First).plus(1, &[Middle]);
    let earlier = ZoidPiece { end: moment.clone(), ..ZoidPiece::whole() };
    let later = ZoidPiece {
        first: moment,
        low: ZoidForm::of(Low).plus(1, &[LowSlope, Middle]),
        high: ZoidForm::of(High).plus(1, &[HighSlope, Middle]),
        ..ZoidPiece::whole()
    };
    ZoidCut {
        axis: None,
        conditions: vec![ZoidForm::of(Height).plus(-steps.saturating_add(1), &[])],
        twice_middle: ZoidForm::of(Height),
        phases: vec![vec![earlier], vec![later]],
    }
}
