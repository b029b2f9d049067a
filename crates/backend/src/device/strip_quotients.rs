//! Quotients in loops over strips: `c5 / 16` is `c2 / 2` in a loop from `8 * c2` over 8 values, so that it is
//! computed outside of the loop.
use super::extents::constant_trips;
use super::strip::Strip;
use crate::linear::Linear;
use loopwright_astgen::{AstExpr, ForLoop, Lowering};
use loopwright_presburger::{Int, Name};

/// A loop whose values are some of `length` ones from a start on.
pub(super) struct StripLoop {
    iterator: Name,
    start: Linear,
    length: Int,
}

impl StripLoop {
    /// None if a loop has no constant length, or begins at no sum of names.
    pub(super) fn of(each: &ForLoop, lowering: &mut Lowering) -> Option<StripLoop> {
        let length = constant_trips(each).filter(|length| *length > 1 && !each.degenerate)?;
        let Strip { start, .. } = Strip::of(each, length, &|start| Linear::of(start).is_some())?;
        let start = Linear::of(&lowering.lower(&start))?;
        Some(StripLoop {
            iterator: lowering.iterator(&each.iterator),
            start,
            length: Int::from(length),
        })
    }

    /// A quotient in which the iterator is not needed: what is divided is a multiple of the length from the
    /// start of the strip on, and the divisor is one, too.
    fn quotient(&self, dividend: &Linear, divisor: &Int) -> Option<(AstExpr, AstExpr)> {
        let is_multiple = |value: &Int| value.mod_floor(&self.length).is_zero();
        if !dividend.coefficient(&self.iterator).is_one() || !is_multiple(divisor) {
            return None;
        }
        let at_start = dividend.with(&self.iterator, &self.start);
        if !at_start.terms.values().chain([&at_start.constant]).all(is_multiple) {
            return None;
        }
        let part = |value: &Int| value.div_floor(&self.length);
        let terms = at_start.terms.iter().map(|(name, c)| (name.clone(), part(c))).collect();
        let shorter = Linear { terms, constant: part(&at_start.constant) };
        Some((shorter.to_expression(), AstExpr::Int(part(divisor))))
    }
}

/// An expression of the same value with fewer quotients that depend on the iterators of loops around it.
pub(super) fn with_outer_quotients(expression: &AstExpr, strips: &[StripLoop]) -> AstExpr {
    let inside = |part: &AstExpr| Box::new(with_outer_quotients(part, strips));
    let shorter = |a: &AstExpr, b: &AstExpr| {
        let (dividend, divisor) = (Linear::of(a)?, b.as_int()?);
        strips.iter().rev().find_map(|strip| strip.quotient(&dividend, divisor))
    };
    match expression {
        AstExpr::Add(a, b) => AstExpr::Add(inside(a), inside(b)),
        AstExpr::Sub(a, b) => AstExpr::Sub(inside(a), inside(b)),
        AstExpr::Mul(a, b) => AstExpr::Mul(inside(a), inside(b)),
        AstExpr::DivNonneg(a, b) => match shorter(a, b) {
            Some((a, b)) => AstExpr::DivNonneg(Box::new(a), Box::new(b)),
            None => expression.clone(),
        },
        AstExpr::DivFloor(a, b) => match shorter(a, b) {
            Some((a, b)) => AstExpr::DivFloor(Box::new(a), Box::new(b)),
            None => expression.clone(),
        },
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> Box<AstExpr> {
        Box::new(AstExpr::Id(name.into()))
    }

    #[test]
    fn quotients_leave_loops_over_strips_where_they_are_constant_there() {
        let start = Linear::from_name(&"t".into()).scaled(&Int::from(8));
        let strips = [StripLoop { iterator: "k".into(), start, length: Int::from(8) }];
        let divided = |a: Box<AstExpr>, by: i64| AstExpr::DivNonneg(a, Box::new(AstExpr::int(by)));
        let found = with_outer_quotients(&divided(id("k"), 16), &strips);
        assert_eq!(found, divided(id("t"), 2));
        // Not where the divisor is no multiple of the strip, or the dividend begins elsewhere.
        let shifted = Box::new(AstExpr::Add(id("k"), Box::new(AstExpr::int(4))));
        for same in [divided(id("k"), 12), divided(shifted, 16), divided(id("j"), 16)] {
            assert_eq!(with_outer_quotients(&same, &strips), same);
        }
    }
}
