//! Piecewise forms: one form per piece, and the pieces are disjoint.
use crate::model::conditions::{Conjunction, Disjunction, conjoin};
use crate::model::linear::{Limit, Linear, MAX_PIECES};
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;

/// A value: one form per piece; the pieces are disjoint and cover everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pieces(pub(crate) SmallVec<[(Conjunction, Linear); 1]>);

impl Pieces {
    /// One form everywhere.
    pub(crate) fn single(linear: Linear) -> Self {
        Pieces(smallvec![(Vec::new(), linear)])
    }

    /// The form if there is only one.
    pub(crate) fn as_linear(&self) -> Option<&Linear> {
        match &self.0[..] {
            [(conjunction, linear)] if conjunction.is_empty() => Some(linear),
            _ => None,
        }
    }

    /// The value if it is the same everywhere.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.as_linear().and_then(Linear::as_constant)
    }

    /// Applies a function to every pair of pieces that have common points.
    pub(crate) fn zip(
        &self,
        other: &Pieces,
        mut combine: impl FnMut(&Linear, &Linear) -> Result<Linear, Limit>,
    ) -> Result<Pieces, Limit> {
        self.zip_by(other, &mut combine)
    }

    /// [`Pieces::zip`], compiled once and not for each function.
    fn zip_by(
        &self,
        other: &Pieces,
        combine: &mut dyn FnMut(&Linear, &Linear) -> Result<Linear, Limit>,
    ) -> Result<Pieces, Limit> {
        let mut result = SmallVec::new();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                if let Some(both) = conjoin(a, b) {
                    result.push((both, combine(x, y)?));
                }
            }
        }
        Pieces(result).limited()
    }

    /// Applies a function that may split a piece.
    pub(crate) fn flat_map(
        &self,
        mut function: impl FnMut(&Linear) -> Result<Pieces, Limit>,
    ) -> Result<Pieces, Limit> {
        self.flat_map_by(&mut function)
    }

    /// [`Pieces::flat_map`], compiled once and not for each function.
    fn flat_map_by(
        &self,
        function: &mut dyn FnMut(&Linear) -> Result<Pieces, Limit>,
    ) -> Result<Pieces, Limit> {
        let mut result = SmallVec::new();
        for (conjunction, linear) in &self.0 {
            for (piece, value) in function(linear)?.0 {
                result.extend(conjoin(conjunction, &piece).map(|both| (both, value)));
            }
        }
        Pieces(result).limited()
    }

    /// The pieces of `then` where a condition holds, of `otherwise` elsewhere.
    pub(crate) fn select(
        condition: &Disjunction,
        then: &Pieces,
        otherwise: &Pieces,
    ) -> Result<Pieces, Limit> {
        let holds = condition.disjoint()?;
        let fails = Disjunction::always().minus(condition)?;
        let mut result = SmallVec::new();
        for (region, value) in [(&holds, then), (&fails, otherwise)] {
            for conjunction in &region.0 {
                for (piece, linear) in &value.0 {
                    result.extend(conjoin(conjunction, piece).map(|both| (both, linear.clone())));
                }
            }
        }
        Pieces(result).limited()
    }

    /// 1 where a condition holds, 0 elsewhere.
    pub(crate) fn truth(condition: &Disjunction) -> Result<Pieces, Limit> {
        let [one, zero] = [1, 0].map(|value| Pieces::single(Linear::constant(value)));
        Pieces::select(condition, &one, &zero)
    }

    /// The two forms if the value is their minimum (`Ordering::Less`) or maximum (`Greater`).
    ///
    /// Two pieces `c >= 0: x` and `-c - 1 >= 0: y` with `c = x - y + k`, `k` 0 or -1, are the
    /// maximum of `x` and `y` (where `x = y` either will do); with `c = y - x + k` the minimum.
    pub(crate) fn as_extremum(&self) -> Option<(Ordering, &Linear, &Linear)> {
        let [(first, x), (second, y)] = &self.0[..] else { return None };
        let ([first], [second]) = (&first[..], &second[..]) else { return None };
        let complement = first.linear.add(&second.linear).ok()?.as_constant() == Some(-1);
        if first.is_equality || second.is_equality || !complement {
            return None;
        }
        let difference = x.sub(y).ok()?;
        let is = |k: Option<i64>| matches!(k, Some(0 | -1));
        if is(first.linear.sub(&difference).ok()?.as_constant()) {
            Some((Ordering::Greater, x, y))
        } else if is(first.linear.add(&difference).ok()?.as_constant()) {
            Some((Ordering::Less, x, y))
        } else {
            None
        }
    }

    /// Where `test(form)` holds, for a test `form <= constant` (`upper`) or `form >= constant`.
    ///
    /// A maximum is at most a bound if both forms are: no pieces are needed.
    pub(crate) fn bounded(
        &self,
        upper: bool,
        mut test: impl FnMut(&Linear) -> Result<Disjunction, Limit>,
    ) -> Result<Disjunction, Limit> {
        match self.as_extremum() {
            Some((Ordering::Greater, x, y)) if upper => test(x)?.and(&test(y)?),
            Some((Ordering::Less, x, y)) if !upper => test(x)?.and(&test(y)?),
            _ => self.satisfying(test),
        }
    }

    /// Where `test(form)` holds: the union over the pieces.
    pub(crate) fn satisfying(
        &self,
        mut test: impl FnMut(&Linear) -> Result<Disjunction, Limit>,
    ) -> Result<Disjunction, Limit> {
        self.satisfying_by(&mut test)
    }

    /// [`Pieces::satisfying`], compiled once and not for each function.
    fn satisfying_by(
        &self,
        test: &mut dyn FnMut(&Linear) -> Result<Disjunction, Limit>,
    ) -> Result<Disjunction, Limit> {
        let mut result = Disjunction::never();
        for (conjunction, linear) in &self.0 {
            let piece = Disjunction(vec![conjunction.clone()]);
            result = result.or(piece.and(&test(linear)?)?)?;
        }
        Ok(result)
    }

    fn limited(self) -> Result<Pieces, Limit> {
        if self.0.len() > MAX_PIECES { Err(Limit::Pieces) } else { Ok(self) }
    }
}
