//! Bodies that are plain arithmetic.
//!
//! Transformations that compute parts of a body elsewhere (panels), or print it in another form (vector
//! variables), need to know all that it does. They ask for one of the plain forms
//!
//! ```text
//! element op value        op:    =  +=  -=  *=  /=
//!                         value: numbers, elements, integer expressions, + - * / ( ) and negation
//! ```
use super::Body;
use super::literal::Literal;
use super::term::{Element, Term, TermKind};
use crate::{ArithmeticOperator, AssignmentOperator, BinaryOperator, ScalarType, UnaryOperator};

/// A body that assigns a plain value to an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlainAssignment<'a> {
    /// What is assigned to.
    pub target: &'a Element,
    /// How.
    pub operator: AssignmentOperator,
    /// What: a term for which [`Term::is_plain_arithmetic`] holds.
    pub value: &'a Term,
}

impl Body {
    /// The plain assignment that the body is; none if it is anything else: calls, casts, comparisons,
    /// conditions, names that are no variables of the model.
    ///
    /// ```
    /// use loopwright_scop::{ArrayId, Body, BodyPiece, Element};
    /// let variable = |name: &str| BodyPiece::element(Element::new(name, ArrayId(0), Vec::new()));
    /// let body = [variable("a"), BodyPiece::text(" += ("), variable("b"), BodyPiece::text(" - 2.5)")];
    /// let body = Body::read(body);
    /// let read = body.plain_assignment().unwrap();
    /// assert!(read.target.base.is_named("a"));
    /// assert_eq!(read.value.elements().len(), 1);
    /// let call = Body::read([variable("a"), BodyPiece::text(" = sqrt(2.5)")]);
    /// assert!(call.plain_assignment().is_none());
    /// ```
    pub fn plain_assignment(&self) -> Option<PlainAssignment<'_>> {
        use ArithmeticOperator::{Add, Divide, Multiply, Subtract};
        let (operator, target, value) = self.root()?.as_assignment()?;
        let is_plain = match operator {
            AssignmentOperator::Set => true,
            AssignmentOperator::Update(operator) => {
                matches!(operator, Add | Subtract | Multiply | Divide)
            }
        };
        let target = target.as_element()?;
        (is_plain && self.hidden().is_empty() && value.is_plain_arithmetic())
            .then_some(PlainAssignment { target, operator, value })
    }
}

impl Term {
    /// Whether the term is made of decimal numbers, elements and integer expressions by `+ - * /`, negation
    /// and parentheses.
    pub fn is_plain_arithmetic(&self) -> bool {
        use ArithmeticOperator::{Add, Divide, Multiply, Subtract};
        self.all(&|term| match term.kind() {
            TermKind::Affine(_) | TermKind::Element(_) | TermKind::Parenthesized => true,
            TermKind::Literal(Literal::Integer | Literal::Floating) => {
                ScalarType::of_number(term.text()).is_some()
            }
            TermKind::Unary(operator) => *operator == UnaryOperator::Negate,
            TermKind::Binary(BinaryOperator::Arithmetic(operator)) => {
                matches!(operator, Add | Subtract | Multiply | Divide)
            }
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::body::reader::tests::{body, full};

    #[test]
    fn precedence_and_associativity_are_those_of_c() {
        let cases = [
            ("a = b - c - d", "((b-c)-d)"),
            ("a = b - (c - d)", "(b-(c-d))"),
            ("a += b*c*d + e*d*f", "(((b*c)*d)+((e*d)*f))"),
            ("a -= b / c * d", "((b/c)*d)"),
            ("a *= - b * c", "((-b)*c)"),
            ("a /= -(b + - c) - 1.5", "((-(b+(-c)))-1.5)"),
            ("a = ((b))", "b"),
            ("a = 1E-3 * b + .5", "((1E-3*b)+.5)"),
        ];
        for (text, expected) in cases {
            let read = body(text);
            let plain = read.plain_assignment().unwrap_or_else(|| panic!("{text}"));
            assert_eq!(full(plain.value), expected, "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_plain_assignment() {
        let cases = [
            "a",
            "a = ",
            "a = b c",
            "a = b + + c",
            "a = b--",
            "a = --b",
            "a = (b",
            "a = b)",
            "a == b",
            "a = b == c",
            "a = b ? c : d",
            "a = b % c",
            "a = &b",
            "a = 0X1P3 * b",
            "a = b = c",
            "a = 1.5L * b",
            "a = b, c",
            "",
            "1 = a",
            "a = 1E * b",
            "a = . * b",
        ];
        for text in cases {
            assert!(body(text).plain_assignment().is_none(), "{text}");
        }
        let deep = format!("a = {}b{}", "(".repeat(100_000), ")".repeat(100_000));
        assert!(body(&deep).plain_assignment().is_none());
        let long = format!("a = b{}", " + b".repeat(100_000));
        assert!(body(&long).plain_assignment().is_none());
    }
}
