//! Affine forms, conjunctions and piecewise forms over symbols, before there is a space.
//!
//! While a region is read it is not known yet which parameters it has, so expressions are kept
//! over [`Symbol`]s and turned into sets once at the end. A [`Linear`] is `c + sum a_i s_i` with
//! checked 64-bit coefficients; a symbol may be a floor `⌊e/d⌋` from the table [`Symbols`](crate::model::symbols::Symbols). A
//! condition is a disjunction of conjunctions of `e = 0` and `e >= 0`; a value has one form per
//! piece, and the pieces are disjoint.
use crate::model::conditions::{Conjunction, Disjunction, conjoin};
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;

/// A number that varies between instances or executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Symbol {
    /// A symbolic constant: index of the variable.
    Parameter(u32),
    /// The iterator of a loop: index of the loop in the region.
    Iterator(u32),
    /// A floor: index into [`Symbols::floors`](crate::model::symbols::Symbols::floors).
    Floor(u32),
    /// A product that is not affine: index into [`Symbols::products`](crate::model::symbols::Symbols::products). Only in subscripts.
    Product(u32),
}

/// Why an expression has no form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// A coefficient does not fit into 64 bits.
    Overflow,
    /// Too many pieces.
    Pieces,
}

/// More pieces than this in one condition or value are refused.
pub(crate) const MAX_PIECES: usize = 64;

/// Symbols with their coefficients; most forms have few.
pub(crate) type Terms = SmallVec<[(Symbol, i64); 3]>;

/// An affine form `constant + sum of coefficient * symbol`, sorted by symbol, without zeros.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Linear {
    pub(crate) constant: i64,
    pub(crate) terms: Terms,
}

impl Linear {
    /// A constant.
    pub(crate) fn constant(value: i64) -> Self {
        Linear { constant: value, terms: Terms::new() }
    }

    /// A symbol.
    pub(crate) fn symbol(symbol: Symbol) -> Self {
        Linear { constant: 0, terms: smallvec![(symbol, 1)] }
    }

    /// The value if it is the same everywhere.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The coefficient of a symbol.
    pub(crate) fn coefficient(&self, symbol: Symbol) -> i64 {
        self.terms.iter().find(|(s, _)| *s == symbol).map_or(0, |(_, c)| *c)
    }

    /// `self + factor * other`.
    pub(crate) fn add_scaled(&self, factor: i64, other: &Linear) -> Result<Linear, Limit> {
        let fma = |a: i64, b: i64| {
            factor.checked_mul(b).and_then(|p| a.checked_add(p)).ok_or(Limit::Overflow)
        };
        let mut terms = Terms::with_capacity(self.terms.len().max(other.terms.len()));
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(x), Some(y)) => x.0.cmp(&y.0),
            };
            let left = if order.is_le() { a.next() } else { None };
            let right = if order.is_ge() { b.next() } else { None };
            let coefficient = fma(left.map_or(0, |t| t.1), right.map_or(0, |t| t.1))?;
            if let (Some((symbol, _)), true) = (left.or(right), coefficient != 0) {
                terms.push((*symbol, coefficient));
            }
        }
        Ok(Linear { constant: fma(self.constant, other.constant)?, terms })
    }

    /// `self + factor * other`, if that is the same everywhere.
    pub(crate) fn constant_sum(&self, factor: i64, other: &Linear) -> Option<i64> {
        let cancel = |((s, a), (t, b)): (&(Symbol, i64), &(Symbol, i64))| {
            s == t && factor.checked_mul(*b).and_then(|b| a.checked_add(b)) == Some(0)
        };
        let is_constant = self.terms.len() == other.terms.len()
            && self.terms.iter().zip(&other.terms).all(cancel);
        let constant = factor.checked_mul(other.constant)?.checked_add(self.constant)?;
        is_constant.then_some(constant)
    }

    /// The sum.
    pub(crate) fn add(&self, other: &Linear) -> Result<Linear, Limit> {
        self.add_scaled(1, other)
    }

    /// The difference.
    pub(crate) fn sub(&self, other: &Linear) -> Result<Linear, Limit> {
        self.add_scaled(-1, other)
    }

    /// The product with an integer.
    pub(crate) fn scale(&self, factor: i64) -> Result<Linear, Limit> {
        Linear::default().add_scaled(factor, self)
    }

    /// The sum with an integer.
    pub(crate) fn add_constant(&self, value: i64) -> Result<Linear, Limit> {
        self.add(&Linear::constant(value))
    }
}

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
