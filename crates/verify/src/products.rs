//! What a statement adds to an element, as signed products.
//!
//! What makes products of matrices (`loopwright_device::products`) reads them on its own: the proof shares no
//! code with it.
use loopwright_scop::{
    ArithmeticOperator, AssignmentOperator, BinaryOperator, Element, Statement, Term, TermKind,
    UnaryOperator,
};

/// A signed product of elements and numbers.
pub(crate) struct SignedProduct<'a> {
    pub(crate) is_negative: bool,
    pub(crate) factors: Vec<&'a Term>,
}

impl<'a> SignedProduct<'a> {
    /// The factors that are elements of arrays with subscripts.
    pub(crate) fn subscripted(&self) -> Vec<&'a Element> {
        let elements = self.factors.iter().filter_map(|factor| factor.as_element());
        elements.filter(|element| !element.subscripts.is_empty()).collect()
    }
}

/// What a statement adds, and the element that it adds it to; none if it is no such update.
pub(crate) fn added_products(statement: &Statement) -> Option<(&Element, Vec<SignedProduct<'_>>)> {
    let assignment = statement.body.plain_assignment()?;
    let is_negative = match assignment.operator {
        AssignmentOperator::Update(ArithmeticOperator::Add) => false,
        AssignmentOperator::Update(ArithmeticOperator::Subtract) => true,
        _ => return None,
    };
    let mut todo = vec![(assignment.value, is_negative)];
    let mut found = Vec::new();
    while let Some((term, is_negative)) = todo.pop() {
        match (term.kind(), term.children()) {
            (TermKind::Parenthesized, [inner]) => todo.push((inner, is_negative)),
            (TermKind::Binary(BinaryOperator::Arithmetic(operator)), [first, second])
                if matches!(operator, ArithmeticOperator::Add | ArithmeticOperator::Subtract) =>
            {
                let is_difference = *operator == ArithmeticOperator::Subtract;
                todo.push((second, is_negative != is_difference));
                todo.push((first, is_negative));
            }
            _ => found.push(product(term, is_negative)?),
        }
    }
    Some((assignment.target, found))
}

/// A term without sums as a product.
fn product(term: &Term, is_negative: bool) -> Option<SignedProduct<'_>> {
    let mut result = SignedProduct { is_negative, factors: Vec::new() };
    let mut todo = vec![term];
    while let Some(term) = todo.pop() {
        match (term.kind(), term.children()) {
            (TermKind::Parenthesized, [inner]) => todo.push(inner),
            (TermKind::Unary(UnaryOperator::Negate), [inner]) => {
                result.is_negative = !result.is_negative;
                todo.push(inner);
            }
            (
                TermKind::Binary(BinaryOperator::Arithmetic(ArithmeticOperator::Multiply)),
                [first, second],
            ) => {
                todo.push(second);
                todo.push(first);
            }
            (TermKind::Element(_) | TermKind::Literal(_), _) => result.factors.push(term),
            _ => return None,
        }
    }
    Some(result)
}
