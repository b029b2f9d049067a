//! The types of values in a body, by the arrays and symbolic constants of its model.
use super::literal::Literal;
use super::operator::{ArithmeticOperator, BinaryOperator, UnaryOperator};
use super::scalar_type::ScalarType;
use super::term::{Term, TermKind};
use crate::model::{Array, ElementKind, Scop};

impl Array {
    /// The type of elements, if they are numbers of a known type.
    pub fn scalar_type(&self) -> Option<ScalarType> {
        if let Some(floating) = self.floating_type() {
            return Some(ScalarType::Floating(floating));
        }
        let is_signed = match self.element_kind {
            ElementKind::Signed => true,
            ElementKind::Unsigned => false,
            ElementKind::Floating | ElementKind::Other => return None,
        };
        Some(ScalarType::Integer { is_signed, bytes: self.element_bytes? })
    }
}

impl Term {
    /// The type of its value, by C's conversions; none where it is not known: results of functions, members,
    /// names that are no symbolic constants.
    ///
    /// *Cost.* Linear in the term, times the number of symbolic constants.
    pub fn value_type(&self, scop: &Scop) -> Option<ScalarType> {
        let of = |child: &Term| child.value_type(scop);
        match (self.kind(), self.children()) {
            (TermKind::Affine(_), _) => Some(ScalarType::INT),
            (TermKind::Element(element), _) => {
                let array = scop.array(element.array);
                (element.subscripts.len() == array.extents.len()).then(|| array.scalar_type())?
            }
            (TermKind::Literal(Literal::Character), _) => Some(ScalarType::INT),
            (TermKind::Literal(_), _) => ScalarType::of_number(self.text()),
            (TermKind::Name, _) => {
                let parameter = scop.parameters.iter().find(|own| *own.name == *self.text())?;
                ScalarType::of_name(&parameter.c_type)
            }
            (TermKind::Parenthesized | TermKind::Postfix(_), [inner]) => of(inner),
            (TermKind::Subscript, [array, ..]) => {
                scop.array(array.as_element()?.array).scalar_type()
            }
            (TermKind::Unary(operator), [inner]) => match operator {
                UnaryOperator::Negate | UnaryOperator::Plus | UnaryOperator::Complement => {
                    of(inner).map(ScalarType::promoted)
                }
                UnaryOperator::Not => Some(ScalarType::INT),
                UnaryOperator::Increment | UnaryOperator::Decrement => of(inner),
                UnaryOperator::AddressOf | UnaryOperator::Dereference => None,
            },
            (TermKind::Binary(operator), [left, right]) => match operator {
                BinaryOperator::Arithmetic(
                    ArithmeticOperator::ShiftLeft | ArithmeticOperator::ShiftRight,
                ) => of(left).map(ScalarType::promoted),
                BinaryOperator::Arithmetic(_) => Some(of(left)?.joined(of(right)?)),
                BinaryOperator::Comma => of(right),
                BinaryOperator::Comparison(_)
                | BinaryOperator::LogicalAnd
                | BinaryOperator::LogicalOr => Some(ScalarType::INT),
            },
            (TermKind::Assignment(_), [target, _]) => of(target),
            (TermKind::Conditional, [_, then, otherwise]) => Some(of(then)?.joined(of(otherwise)?)),
            (TermKind::Cast(to), _) => *to,
            _ => None,
        }
    }
}
