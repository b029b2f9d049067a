//! The statements of reductions: those that begin a value, and those that combine two of them.
use crate::promotion::{Accessed, Promoting};
use loopwright_dataflow::ReductionOperator;
use loopwright_presburger::{Result, Set};
use loopwright_scop::{AccessKind, Body, BodyPiece, Element, Location, StatementId};

impl Promoting<'_> {
    /// Adds a statement that assigns a constant to an element.
    pub(crate) fn add_constant(
        &mut self,
        domain: &Set,
        value: &str,
        to: &Accessed,
        location: Location,
    ) -> Result<StatementId> {
        let text = BodyPiece::text(format!(" = {value}"));
        let body = Body::read([BodyPiece::element(to.element.clone()), text]);
        self.add_statement(domain, body, &[(AccessKind::MustWrite, to)], location)
    }

    /// Adds a statement that combines an element with another one.
    pub(crate) fn add_combination(
        &mut self,
        domain: &Set,
        operator: ReductionOperator,
        (to, from): (&Accessed, &Accessed),
        location: Location,
    ) -> Result<StatementId> {
        let n = times_read(operator);
        let mut accesses = vec![(AccessKind::MustWrite, to)];
        accesses.extend(std::iter::repeat_n((AccessKind::Read, to), n));
        accesses.extend(std::iter::repeat_n((AccessKind::Read, from), n));
        let body = combining(operator, &to.element, &from.element);
        self.add_statement(domain, body, &accesses, location)
    }
}

/// The value that changes nothing, as C writes it; none if the element itself is as good, since it does not
/// matter how often it is combined.
pub(crate) fn neutral(operator: ReductionOperator) -> Option<&'static str> {
    use ReductionOperator as R;
    match operator {
        R::Sum | R::Or | R::ExclusiveOr => Some("0"),
        R::Product => Some("1"),
        R::And | R::Minimum | R::Maximum => None,
    }
}

/// The statement that combines `other` with an element.
fn combining(operator: ReductionOperator, to: &Element, other: &Element) -> Body {
    use ReductionOperator as R;
    let element = |element: &Element| BodyPiece::element(element.clone());
    let update =
        |symbol: &'static str| Body::read([element(to), BodyPiece::text(symbol), element(other)]);
    let chosen = |symbol: &'static str| {
        let text = BodyPiece::text;
        let condition = [element(to), text(" = "), element(other), text(symbol), element(to)];
        let values = [text(" ? "), element(other), text(" : "), element(to)];
        Body::read(condition.into_iter().chain(values))
    };
    match operator {
        R::Sum => update(" += "),
        R::Product => update(" *= "),
        R::And => update(" &= "),
        R::Or => update(" |= "),
        R::ExclusiveOr => update(" ^= "),
        R::Minimum => chosen(" < "),
        R::Maximum => chosen(" > "),
    }
}

/// How often such a statement reads the element, and the other one.
fn times_read(operator: ReductionOperator) -> usize {
    match operator {
        ReductionOperator::Minimum | ReductionOperator::Maximum => 2,
        _ => 1,
    }
}
