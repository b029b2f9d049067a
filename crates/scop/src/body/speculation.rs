//! What may be evaluated although the program does not evaluate it.
use super::{
    ArithmeticOperator, BinaryOperator, Literal, ScalarType, Term, TermKind, UnaryOperator,
};
use crate::model::Scop;

/// Functions of numbers without any effect, whatever their arguments are: they neither trap nor say anything
/// in `errno`.
const FREE_FUNCTIONS: [&str; 12] = [
    "fabs",
    "fabsf",
    "floor",
    "floorf",
    "ceil",
    "ceilf",
    "fmin",
    "fminf",
    "fmax",
    "fmaxf",
    "__builtin_fabs",
    "__builtin_fabsf",
];

/// Whether a term may be evaluated for values of data that the program does not evaluate it for: it has no
/// effect, and means something for all values. Whether elements that it reads are there is another question,
/// but their subscripts are sums of multiples of the iterator and of constants.
pub(super) fn is_speculative(term: &Term, scop: &Scop, iterator: &Term) -> Result<(), String> {
    let each =
        |children: &[Term]| children.iter().try_for_each(|c| is_speculative(c, scop, iterator));
    let type_of = |term: &Term| term.value_type(scop);
    match (term.kind(), term.children()) {
        (TermKind::Element(element), _) => {
            let n = scop.array(element.array).extents.len();
            match element.subscripts.len() == n {
                true => Ok(()),
                false => Err("it looks at addresses to see whether it is left".to_string()),
            }
        }
        (TermKind::Affine(_) | TermKind::Literal(_) | TermKind::Name, _) => Ok(()),
        _ if term.as_number().is_some() => Ok(()),
        (TermKind::Parenthesized | TermKind::Conditional, children) => each(children),
        (TermKind::Subscript, [base, indices @ ..]) => {
            let element = base.as_element();
            let is_whole = element.is_some_and(|element| {
                element.subscripts.is_empty()
                    && scop.array(element.array).extents.len() == indices.len()
            });
            match is_whole && indices.iter().all(|index| is_sum(index, scop, iterator)) {
                true => Ok(()),
                false => Err("data decides which elements it looks at".to_string()),
            }
        }
        (TermKind::Member, [inner])
            if term.texts().last().is_some_and(|t| t.trim().starts_with('.')) =>
        {
            is_speculative(inner, scop, iterator)
        }
        (TermKind::Unary(operator), [inner]) => {
            let is_free = match operator {
                UnaryOperator::Not | UnaryOperator::Complement | UnaryOperator::Plus => true,
                UnaryOperator::Negate => is_floating(type_of(inner)) || fits(term, scop),
                _ => false,
            };
            match is_free {
                true => is_speculative(inner, scop, iterator),
                false => Err(may_overflow(term)),
            }
        }
        (TermKind::Cast(Some(to)), [inner]) => {
            let is_free = is_floating(Some(*to)) || is_integer(type_of(inner));
            match is_free {
                true => is_speculative(inner, scop, iterator),
                false => Err("a conversion for other values may have no meaning".to_string()),
            }
        }
        (TermKind::Binary(operator), [left, right]) => {
            each(term.children())?;
            match operator {
                BinaryOperator::Comparison(_)
                | BinaryOperator::LogicalAnd
                | BinaryOperator::LogicalOr => Ok(()),
                BinaryOperator::Arithmetic(operator) => {
                    match is_total(*operator, term, (left, right), scop) {
                        true => Ok(()),
                        false => Err(may_overflow(term)),
                    }
                }
                BinaryOperator::Comma => {
                    Err("it does several things to see whether it is left".to_string())
                }
            }
        }
        (TermKind::Call, [_, arguments @ ..]) if is_free_call(term) => each(arguments),
        (TermKind::Call, _) => Err("it calls a function to see whether it is left".to_string()),
        _ => Err("what it looks at to see whether it is left is not known".to_string()),
    }
}

fn may_overflow(term: &Term) -> String {
    let symbol = match term.kind() {
        TermKind::Binary(BinaryOperator::Arithmetic(operator)) => operator.symbol(),
        TermKind::Unary(operator) => operator.symbol(),
        _ => "an operator",
    };
    format!("`{symbol}` may have no meaning for the values behind the exit")
}

/// Whether an operator means something for all values of its operands.
fn is_total(
    operator: ArithmeticOperator,
    term: &Term,
    (left, right): (&Term, &Term),
    scop: &Scop,
) -> bool {
    use ArithmeticOperator as Operator;
    let [of_left, of_right, result] = [left, right, term].map(|term| term.value_type(scop));
    let number = right.without_parentheses().as_number();
    let is_shift = || number.is_some_and(|number| (0..32).contains(&number));
    match operator {
        Operator::Add | Operator::Subtract | Operator::Multiply => {
            let is_unsigned = matches!(result, Some(ScalarType::Integer { is_signed: false, .. }));
            is_floating(result) || is_unsigned || fits(term, scop)
        }
        Operator::Divide if is_floating(result) => true,
        Operator::Divide | Operator::Remainder => {
            is_integer(of_left) && number.is_some_and(|number| number > 0)
        }
        Operator::ShiftRight => is_integer(of_left) && is_shift(),
        Operator::ShiftLeft => {
            let is_wide =
                matches!(of_left, Some(ScalarType::Integer { is_signed: false, bytes: 4.. }));
            is_wide && is_shift()
        }
        Operator::And | Operator::Or | Operator::ExclusiveOr => {
            is_integer(of_left) && is_integer(of_right)
        }
    }
}

fn is_floating(scalar: Option<ScalarType>) -> bool {
    matches!(scalar, Some(ScalarType::Floating(_)))
}

fn is_integer(scalar: Option<ScalarType>) -> bool {
    matches!(scalar, Some(ScalarType::Integer { .. }))
}

/// Whether a value of integers fits in its type, whatever data it is computed from.
fn fits(term: &Term, scop: &Scop) -> bool {
    match term.value_type(scop).map(ScalarType::promoted) {
        Some(ScalarType::Integer { bytes, .. }) => {
            bits(term, scop).is_some_and(|bits| bits <= 8 * bytes)
        }
        _ => false,
    }
}

/// The bits of a signed integer that has all values that a term can have.
fn bits(term: &Term, scop: &Scop) -> Option<u64> {
    let of = |term: &Term| bits(term, scop);
    let of_type = |scalar: Option<ScalarType>| match scalar? {
        ScalarType::Integer { is_signed, bytes } => Some(8 * bytes + u64::from(!is_signed)),
        ScalarType::Floating(_) => None,
    };
    if let Some(value) = term.as_number() {
        return Some(65 - u64::from(value.unsigned_abs().leading_zeros()));
    }
    match (term.kind(), term.children()) {
        (TermKind::Parenthesized, [inner]) => of(inner),
        (TermKind::Unary(UnaryOperator::Negate), [inner]) => Some(of(inner)? + 1),
        (TermKind::Cast(Some(to)), [inner]) => {
            let own = of_type(Some(*to))?;
            let is_signed = matches!(to, ScalarType::Integer { is_signed: true, .. });
            Some(of(inner).filter(|bits| is_signed && *bits <= own).unwrap_or(own))
        }
        (TermKind::Binary(BinaryOperator::Arithmetic(operator)), [left, right]) => match operator {
            ArithmeticOperator::Add | ArithmeticOperator::Subtract => {
                Some(of(left)?.max(of(right)?) + 1)
            }
            ArithmeticOperator::Multiply => Some(of(left)? + of(right)?),
            _ => of_type(term.value_type(scop)),
        },
        _ => of_type(term.value_type(scop)),
    }
}

/// Whether a term is a sum of multiples of the iterator, of symbolic constants, of integer expressions and of
/// numbers.
fn is_sum(term: &Term, scop: &Scop, iterator: &Term) -> bool {
    let is_sum = |term: &Term| is_sum(term, scop, iterator);
    if term.is_alike(iterator) || term.as_number().is_some() {
        return true;
    }
    let is_literal = |term: &Term| term.without_parentheses().as_number().is_some();
    match (term.kind(), term.children()) {
        (TermKind::Affine(_), _) => true,
        (TermKind::Name, _) => scop.parameters.iter().any(|own| *own.name == *term.text()),
        (TermKind::Parenthesized, [inner]) => is_sum(inner),
        (TermKind::Unary(UnaryOperator::Negate | UnaryOperator::Plus), [inner]) => is_sum(inner),
        (TermKind::Binary(BinaryOperator::Arithmetic(operator)), [left, right]) => match operator {
            ArithmeticOperator::Add | ArithmeticOperator::Subtract => is_sum(left) && is_sum(right),
            ArithmeticOperator::Multiply => {
                is_literal(left) && is_sum(right) || is_sum(left) && is_literal(right)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a term is a value that is evaluated without any effect, for values that the program has there.
pub(super) fn is_value(term: &Term) -> bool {
    term.all(&|part| {
        matches!(
            part.kind(),
            TermKind::Affine(_)
                | TermKind::Element(_)
                | TermKind::Literal(_)
                | TermKind::Name
                | TermKind::Parenthesized
                | TermKind::Conditional
                | TermKind::Subscript
                | TermKind::Cast(Some(_))
                | TermKind::Binary(BinaryOperator::Arithmetic(_) | BinaryOperator::Comparison(_))
                | TermKind::Unary(UnaryOperator::Negate | UnaryOperator::Plus)
        ) || part.as_number().is_some()
    })
}

/// Whether a call is one of a function of numbers without any effect.
pub(super) fn is_free_call(term: &Term) -> bool {
    match (term.kind(), term.children()) {
        (TermKind::Call, [function, ..]) => {
            function.kind() == &TermKind::Name && FREE_FUNCTIONS.contains(&function.text())
        }
        _ => false,
    }
}

impl Term {
    /// The number that it is, written without suffix; a negative one is text without structure where the
    /// front end has computed it.
    pub(crate) fn as_number(&self) -> Option<i64> {
        match self.kind() {
            TermKind::Literal(Literal::Integer) | TermKind::Opaque
                if self.children().is_empty() =>
            {
                self.text().trim().parse().ok()
            }
            _ => None,
        }
    }
}
