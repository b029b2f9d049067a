//! Parameters of C's type `int` and narrower ones in generated expressions.
//!
//! Generated iterators are wider than `int`, and so is what is computed with them. What is computed with
//! parameters alone is only as wide as these: in `for (long c0 = n; c0 < 2 * n; c0++)` the bound overflows
//! for a large `n`, where the program itself computes no `2 * n`. Where a value may lie outside of an `int`,
//! a conversion makes the computation wide: `2 * (long) n`.
use crate::expressions::expression::AstExpr;
use loopwright_presburger::{Budget, DimKind, Int, Name, Optimum, Set};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Steps that a bound of a parameter may cost at a place; without it that of everywhere counts.
const BOUND_STEPS: u64 = 20_000;

type Ranges = BTreeMap<Name, RangeInclusive<i64>>;

/// The values that parameters narrower than the iterators may have.
#[derive(Clone, Debug, Default)]
pub(crate) struct NarrowParameters {
    /// The type to which they are converted.
    wide_type: String,
    ranges: Ranges,
    /// What holds where expressions are computed, and the ranges there, once they were asked for.
    known: Option<Set>,
    ranges_here: Option<Ranges>,
}

/// What C computes an expression in.
enum Width {
    /// In an `int`, with a value in this range.
    Narrow(RangeInclusive<i64>),
    Wide,
}
use Width::{Narrow, Wide};

impl NarrowParameters {
    /// Adds one; `wide_type` is the type of iterators.
    pub(crate) fn insert(&mut self, name: &Name, range: RangeInclusive<i64>, wide_type: &str) {
        self.wide_type = wide_type.to_string();
        self.ranges.insert(name.clone(), range);
    }

    /// Says what holds where the next expressions are computed; what held before.
    pub(crate) fn know(&mut self, known: Option<Set>) -> Option<Set> {
        self.ranges_here = None;
        std::mem::replace(&mut self.known, known)
    }

    /// The ranges where expressions are computed now: those that are always right, within what is known
    /// there.
    fn ranges_here(&mut self) -> Option<&Ranges> {
        let known = self.known.as_ref()?;
        let ranges = &self.ranges;
        Some(self.ranges_here.get_or_insert_with(|| {
            ranges.iter().map(|(name, range)| (name.clone(), within(name, range, known))).collect()
        }))
    }

    /// The expression with conversions where its value, or that of a part, may lie outside of an `int`.
    pub(crate) fn widened(&mut self, expression: &AstExpr) -> AstExpr {
        if self.ranges.is_empty() {
            return expression.clone();
        }
        let widened = self.typed(expression, &self.ranges).0;
        if widened == *expression || self.ranges_here().is_none() {
            return widened;
        }
        match &self.ranges_here {
            Some(ranges) => self.typed(expression, ranges).0,
            None => widened,
        }
    }

    fn typed(&self, expression: &AstExpr, ranges: &Ranges) -> (AstExpr, Width) {
        use AstExpr::*;
        let mut widths = Vec::new();
        let parts = expression.map_operands(&mut |operand| {
            let (operand, width) = self.typed(operand, ranges);
            widths.push(width);
            operand
        });
        let width = match (expression, widths.as_slice()) {
            (Int(value), _) => value.to_i64().map_or(Wide, |value| Narrow(value..=value)),
            (Id(name), _) => ranges.get(name).map_or(Wide, |range| Narrow(range.clone())),
            (Neg(_), [Narrow(a)]) => Narrow(-a.end()..=-a.start()),
            (Add(..), [Narrow(a), Narrow(b)]) => Narrow(a.start() + b.start()..=a.end() + b.end()),
            (Sub(..), [Narrow(a), Narrow(b)]) => Narrow(a.start() - b.end()..=a.end() - b.start()),
            (Mul(..), [Narrow(a), Narrow(b)]) => Narrow(product(a, b)),
            (DivExact(..) | DivNonneg(..) | DivFloor(..), [Narrow(a), Narrow(b)]) => {
                // C's division rounds towards zero, that of floors downwards; larger divisors come nearer to
                // zero.
                let divisor = (*b.start()).max(1);
                let by = |value: &i64| match expression {
                    DivFloor(..) => value.div_euclid(divisor),
                    _ => value / divisor,
                };
                let range = by(a.start())..=by(a.end());
                Narrow(if b.start() == b.end() { range } else { hull(&range, &(-1..=0)) })
            }
            (RemNonneg(..) | RemZero(..), [Narrow(a), Narrow(_)]) => {
                let most = a.start().abs().max(a.end().abs());
                Narrow(-most..=most)
            }
            (Select(..) | Cond(..), [_, Narrow(a), Narrow(b)]) => Narrow(hull(a, b)),
            (Min(_) | Max(_), widths) => hull_of(widths),
            (
                And(_) | Or(_) | AndThen(_) | OrElse(_) | Eq(..) | Le(..) | Lt(..) | Ge(..)
                | Gt(..),
                _,
            ) => Narrow(0..=1),
            _ => Wide,
        };
        match width {
            Narrow(range) if !fits(&range) => (self.wide(&parts).unwrap_or(parts), Wide),
            width => (parts, width),
        }
    }

    /// The expression computed in the wide type, by a conversion of the first parameter that it needs; none
    /// if it has no such operand.
    fn wide(&self, expression: &AstExpr) -> Option<AstExpr> {
        use AstExpr::*;
        match expression {
            Id(name) => Some(Id(format!("({}) {name}", self.wide_type).into())),
            Neg(_) | Add(..) | Sub(..) | Mul(..) | Min(_) | Max(_) => {
                self.first_wide(expression, 0)
            }
            DivExact(..) | DivNonneg(..) | DivFloor(..) | RemNonneg(..) | RemZero(..) => {
                self.first_wide(expression, 0)
            }
            // What is chosen has the wider type of both.
            Select(..) | Cond(..) => self.first_wide(expression, 1),
            _ => None,
        }
    }

    /// With the first operand from `first` on that can be made wide.
    fn first_wide(&self, expression: &AstExpr, first: usize) -> Option<AstExpr> {
        let mut operands = expression.operands().into_iter().enumerate().skip(first);
        let (chosen, wide) =
            operands.find_map(|(index, operand)| Some((index, self.wide(operand)?)))?;
        let mut index = 0..;
        Some(expression.map_operands(&mut |operand| match index.next() {
            Some(index) if index == chosen => wide.clone(),
            _ => operand.clone(),
        }))
    }
}

/// The part of a parameter's range in a set.
fn within(name: &Name, range: &RangeInclusive<i64>, known: &Set) -> RangeInclusive<i64> {
    let Some(position) = known.space().find_param(name) else { return range.clone() };
    let budget = Budget::steps(BOUND_STEPS);
    let bound = |optimum| match optimum {
        Ok(Optimum::At(value)) => Int::to_i64(&value),
        _ => None,
    };
    let least = bound(known.dim_min_val(DimKind::Param, position, &budget));
    let most = bound(known.dim_max_val(DimKind::Param, position, &budget));
    let least = least.map_or(*range.start(), |least| least.max(*range.start()));
    let most = most.map_or(*range.end(), |most| most.min(*range.end()));
    least.min(most)..=most
}

fn fits(range: &RangeInclusive<i64>) -> bool {
    i32::try_from(*range.start()).is_ok() && i32::try_from(*range.end()).is_ok()
}

/// The products of two ranges of `int`s.
fn product(a: &RangeInclusive<i64>, b: &RangeInclusive<i64>) -> RangeInclusive<i64> {
    let products =
        [a.start() * b.start(), a.start() * b.end(), a.end() * b.start(), a.end() * b.end()];
    let least = products.iter().fold(products[0], |least, each| least.min(*each));
    let most = products.iter().fold(products[0], |most, each| most.max(*each));
    least..=most
}

fn hull(a: &RangeInclusive<i64>, b: &RangeInclusive<i64>) -> RangeInclusive<i64> {
    *a.start().min(b.start())..=*a.end().max(b.end())
}

fn hull_of(widths: &[Width]) -> Width {
    let joined = widths.iter().try_fold(None, |joined, width| match (joined, width) {
        (_, Wide) => None,
        (None, Narrow(range)) => Some(Some(range.clone())),
        (Some(joined), Narrow(range)) => Some(Some(hull(&joined, range))),
    });
    joined.flatten().map_or(Wide, Narrow)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> Box<AstExpr> {
        Box::new(AstExpr::Id(name.into()))
    }

    fn int(value: i64) -> Box<AstExpr> {
        Box::new(AstExpr::int(value))
    }

    /// With `n` and `m` of type `int`, `k` in 0..=100 and iterators `c0`.
    fn widened(expression: AstExpr) -> String {
        let mut narrow = NarrowParameters::default();
        let int_range = i64::from(i32::MIN) + 64..=i64::from(i32::MAX) - 64;
        narrow.insert(&"n".into(), int_range.clone(), "long");
        narrow.insert(&"m".into(), int_range, "long");
        narrow.insert(&"k".into(), 0..=100, "long");
        narrow.widened(&expression).to_string()
    }

    #[test]
    fn values_that_fit_stay_as_they_are() {
        use AstExpr::*;
        assert_eq!(widened(Sub(id("n"), int(1))), "n - 1");
        assert_eq!(widened(Sub(id("n"), id("c0"))), "n - c0");
        assert_eq!(widened(Mul(int(3), id("k"))), "3 * k");
        assert_eq!(widened(DivNonneg(Box::new(Add(id("n"), int(31))), int(32))), "(n + 31) / 32");
        assert_eq!(widened(Min(vec![*id("n"), *id("m")])), "min(n, m)");
        let eighth = || Box::new(DivNonneg(id("n"), int(8)));
        assert_eq!(widened(Mul(int(8), eighth())), "8 * (n / 8)");
        assert_eq!(
            widened(Add(eighth(), Box::new(DivFloor(id("m"), int(4))))),
            "n / 8 + floord(m, 4)"
        );
    }

    #[test]
    fn values_outside_of_an_int_are_computed_wide() {
        use AstExpr::*;
        assert_eq!(widened(Mul(int(2), id("n"))), "2 * (long) n");
        assert_eq!(widened(Add(id("n"), id("m"))), "(long) n + m");
        assert_eq!(widened(Add(Box::new(Add(id("n"), int(1))), id("m"))), "(long) n + 1 + m");
        assert_eq!(widened(Add(id("c0"), Box::new(Mul(int(2), id("n"))))), "c0 + 2 * (long) n");
        assert_eq!(widened(Sub(id("k"), Box::new(Mul(int(-5), id("m"))))), "k - -5 * (long) m");
        assert_eq!(widened(Add(id("n"), int(65))), "(long) n + 65");
        let eighth = Box::new(DivNonneg(id("n"), int(8)));
        assert_eq!(widened(Mul(int(16), eighth)), "16 * ((long) n / 8)");
    }

    #[test]
    fn choices_are_as_wide_as_one_of_their_values() {
        use AstExpr::*;
        let condition = || Box::new(Ge(id("n"), int(1)));
        let double = || Box::new(Mul(int(2), id("n")));
        assert_eq!(widened(Select(condition(), double(), int(0))), "(n >= 1 ? 2 * (long) n : 0)");
        let chosen = Box::new(Select(condition(), id("n"), int(0)));
        assert_eq!(widened(Mul(int(2), chosen)), "2 * (n >= 1 ? (long) n : 0)");
        let least = Box::new(Min(vec![*id("n"), *id("m")]));
        assert_eq!(widened(Add(least, id("n"))), "min((long) n, m) + n");
        assert_eq!(widened(Lt(double(), id("m"))), "2 * (long) n < m");
    }
}
