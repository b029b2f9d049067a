//! Affine forms, conjunctions and piecewise forms over symbols, before there is a space.
//!
//! While a region is read it is not known yet which parameters it has, so expressions are kept
//! over [`Symbol`]s and turned into sets once at the end. A [`Linear`] is `c + sum a_i s_i` with
//! checked 64-bit coefficients; a symbol may be a floor `⌊e/d⌋` from the table `Symbols`. A
//! condition is a disjunction of conjunctions of `e = 0` and `e >= 0`; a value has one form per
//! piece, and the pieces are disjoint.
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;

/// A number that varies between instances or executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Symbol {
    /// A symbolic constant: index of the variable.
    Parameter(u32),
    /// The iterator of a loop: index of the loop in the region.
    Iterator(u32),
    /// A floor: index into `Symbols::floors`.
    Floor(u32),
    /// A product that is not affine: index into `Symbols::products`. Only in subscripts.
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

/// More pieces than this in one condition or value are refused.
pub(crate) const MAX_PIECES: usize = 64;
