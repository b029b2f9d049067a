//! The operations that an instance executes, by kind.
//!
//! What depends on data (`?:`, `if`, `&&`, `||`) has a range: at least and at most so many. Subscripts and
//! integer expressions over iterators are addresses and loops, so they do not count; neither does what
//! compilers compute from constants.
use super::Body;
use super::literal::Literal;
use super::operator::{ArithmeticOperator, BinaryOperator, UnaryOperator};
use super::scalar_type::ScalarType;
use super::term::{Term, TermKind};
use crate::model::Scop;
use std::fmt;

/// A kind of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperationKind {
    /// Additions and subtractions of floating numbers.
    Add,
    /// Multiplications of floating numbers.
    Multiply,
    /// Divisions of floating numbers.
    Divide,
    /// Calls of `sqrt` and its variants.
    SquareRoot,
    /// Changes of the sign of floating numbers.
    Negate,
    /// Calls of other functions; what happens inside of them is not known.
    Call,
    /// Comparisons of two numbers.
    Compare,
    /// Arithmetic on integers that are data.
    Integer,
}

impl OperationKind {
    /// All kinds.
    pub const ALL: [OperationKind; 8] = [
        OperationKind::Add,
        OperationKind::Multiply,
        OperationKind::Divide,
        OperationKind::SquareRoot,
        OperationKind::Negate,
        OperationKind::Call,
        OperationKind::Compare,
        OperationKind::Integer,
    ];

    /// A word for it in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            OperationKind::Add => "add",
            OperationKind::Multiply => "mul",
            OperationKind::Divide => "div",
            OperationKind::SquareRoot => "sqrt",
            OperationKind::Negate => "neg",
            OperationKind::Call => "call",
            OperationKind::Compare => "compare",
            OperationKind::Integer => "integer",
        }
    }

    /// Whether it is a floating-point operation, as rates of machines count them.
    pub fn is_floating(self) -> bool {
        matches!(
            self,
            OperationKind::Add
                | OperationKind::Multiply
                | OperationKind::Divide
                | OperationKind::SquareRoot
        )
    }
}

/// How many operations of each kind are executed, at least and at most.
///
/// ```
/// use loopwright_scop::{OperationKind, Operations};
/// let (add, multiply) = (Operations::one(OperationKind::Add), Operations::one(OperationKind::Multiply));
/// assert_eq!(add.and(&multiply).to_string(), "1 add, 1 mul");
/// let either = add.or(&add.and(&add));
/// assert_eq!(either.to_string(), "1 to 2 add");
/// assert_eq!(either.at_most(OperationKind::Add), Some(2));
/// assert!(!either.is_exact());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operations {
    at_least: [u64; OperationKind::ALL.len()],
    /// None if there are parts of which nothing is known.
    at_most: Option<[u64; OperationKind::ALL.len()]>,
}

type Counts = [u64; OperationKind::ALL.len()];

fn paired(a: &Counts, b: &Counts, join: fn(u64, u64) -> u64) -> Counts {
    std::array::from_fn(|kind| join(a[kind], b[kind]))
}

impl Operations {
    /// No operation.
    pub const NONE: Operations = Operations {
        at_least: [0; OperationKind::ALL.len()],
        at_most: Some([0; OperationKind::ALL.len()]),
    };

    /// Any number of operations.
    pub const UNKNOWN: Operations =
        Operations { at_least: [0; OperationKind::ALL.len()], at_most: None };

    /// One operation.
    pub fn one(kind: OperationKind) -> Operations {
        let mut counts = [0; OperationKind::ALL.len()];
        counts[kind as usize] = 1;
        Operations { at_least: counts, at_most: Some(counts) }
    }

    /// The operations of one part and of another one.
    pub fn and(&self, other: &Operations) -> Operations {
        let at_most = self.at_most.zip(other.at_most);
        Operations {
            at_least: paired(&self.at_least, &other.at_least, u64::saturating_add),
            at_most: at_most.map(|(a, b)| paired(&a, &b, u64::saturating_add)),
        }
    }

    /// The operations of one of two parts, whichever it is.
    pub fn or(&self, other: &Operations) -> Operations {
        let at_most = self.at_most.zip(other.at_most);
        Operations {
            at_least: paired(&self.at_least, &other.at_least, u64::min),
            at_most: at_most.map(|(a, b)| paired(&a, &b, u64::max)),
        }
    }

    /// How many of a kind there are at least.
    pub fn at_least(&self, kind: OperationKind) -> u64 {
        self.at_least[kind as usize]
    }

    /// How many of a kind there are at most; none if that is not known.
    pub fn at_most(&self, kind: OperationKind) -> Option<u64> {
        Some(self.at_most?[kind as usize])
    }

    /// Whether each instance executes the same number.
    pub fn is_exact(&self) -> bool {
        self.at_most == Some(self.at_least)
    }
}

impl fmt::Display for Operations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_kind = |kind: &OperationKind| {
            let (least, most, word) = (self.at_least(*kind), self.at_most(*kind), kind.as_str());
            match most {
                Some(0) => None,
                None if least == 0 => None,
                None => Some(format!("at least {least} {word}")),
                Some(most) if most == least => Some(format!("{least} {word}")),
                Some(most) => Some(format!("{least} to {most} {word}")),
            }
        };
        let parts: Vec<String> = OperationKind::ALL.iter().filter_map(of_kind).collect();
        match (parts.is_empty(), self.at_most) {
            (true, Some(_)) => f.write_str("none"),
            (true, None) => f.write_str("not known"),
            (false, Some(_)) => f.write_str(&parts.join(", ")),
            (false, None) => write!(f, "{}, and parts that are not known", parts.join(", ")),
        }
    }
}

/// Functions that compute a floating number, without the letter of their type.
const FLOATING_FUNCTIONS: [&str; 22] = [
    "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
    "atan", "atan2", "tanh", "pow", "fabs", "floor", "ceil", "fmin", "fmax", "hypot",
];

/// The type that an operator computes in, as far as counts are concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Floating,
    Integers,
}

impl Body {
    /// The operations that an instance executes.
    ///
    /// *Cost.* That of a walk over the body, times its depth.
    pub fn operations(&self, scop: &Scop) -> Operations {
        self.root().map_or(Operations::NONE, |root| root.operations(scop))
    }
}

impl Term {
    /// The operations that are executed when the term is.
    pub fn operations(&self, scop: &Scop) -> Operations {
        if is_constant(self) {
            return Operations::NONE;
        }
        let of = |child: &Term| child.operations(scop);
        match (self.kind(), self.children()) {
            (TermKind::Opaque, children) => {
                of_all(children, scop).or(&Operations::NONE).and(&Operations::UNKNOWN)
            }
            (TermKind::Binary(operator), [left, right]) => match operator {
                BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                    of(left).and(&of(right).or(&Operations::NONE))
                }
                _ => of(left).and(&of(right)).and(&of_binary(*operator, [left, right], scop)),
            },
            (TermKind::Assignment(operator), [target, value]) => {
                let update = match operator {
                    super::AssignmentOperator::Set => Operations::NONE,
                    super::AssignmentOperator::Update(operator) => {
                        of_arithmetic(*operator, joined(target, value, scop))
                    }
                };
                of(target).and(&of(value)).and(&update)
            }
            (TermKind::Conditional, [condition, then, otherwise])
            | (TermKind::If, [condition, then, otherwise]) => {
                of(condition).and(&of(then).or(&of(otherwise)))
            }
            (TermKind::If, [condition, then]) => of(condition).and(&of(then).or(&Operations::NONE)),
            (TermKind::Unary(operator), [inner]) => {
                of(inner).and(&of_unary(*operator, inner, scop))
            }
            (TermKind::Postfix(_), [inner]) => {
                of(inner).and(&of_arithmetic(ArithmeticOperator::Add, numbers(inner, scop)))
            }
            (TermKind::Call, [function, arguments @ ..]) => {
                of_all(arguments, scop).and(&Operations::one(of_call(function)))
            }
            (_, children) => of_all(children, scop),
        }
    }
}

fn of_all(terms: &[Term], scop: &Scop) -> Operations {
    terms.iter().fold(Operations::NONE, |all, term| all.and(&term.operations(scop)))
}

/// Whether compilers compute it, since it is made of constants.
fn is_constant(term: &Term) -> bool {
    let is_plain = |term: &Term| {
        matches!(
            term.kind(),
            TermKind::Literal(_)
                | TermKind::Parenthesized
                | TermKind::Unary(UnaryOperator::Negate | UnaryOperator::Plus)
                | TermKind::Binary(_)
                | TermKind::Cast(_)
        ) || unsigned_number(term).is_some()
    };
    term.all(&is_plain)
}

/// A number with a sign that is one text (`-2.0f`), without the sign.
fn unsigned_number(term: &Term) -> Option<&str> {
    let is_text = *term.kind() == TermKind::Opaque && term.children().is_empty();
    let number = term.text().trim().strip_prefix(['-', '+'])?.trim_start();
    Literal::of(number).filter(|_| is_text).map(|_| number)
}

fn of_binary(operator: BinaryOperator, [left, right]: [&Term; 2], scop: &Scop) -> Operations {
    match operator {
        BinaryOperator::Arithmetic(operator) => of_arithmetic(operator, joined(left, right, scop)),
        BinaryOperator::Comparison(_) => Operations::one(OperationKind::Compare),
        BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr | BinaryOperator::Comma => {
            Operations::NONE
        }
    }
}

fn of_unary(operator: UnaryOperator, inner: &Term, scop: &Scop) -> Operations {
    match operator {
        UnaryOperator::Negate => by_numbers(OperationKind::Negate, numbers(inner, scop)),
        UnaryOperator::Complement => Operations::one(OperationKind::Integer),
        UnaryOperator::Increment | UnaryOperator::Decrement => {
            of_arithmetic(ArithmeticOperator::Add, numbers(inner, scop))
        }
        UnaryOperator::Plus
        | UnaryOperator::Not
        | UnaryOperator::AddressOf
        | UnaryOperator::Dereference => Operations::NONE,
    }
}

fn of_arithmetic(operator: ArithmeticOperator, numbers: Option<Numbers>) -> Operations {
    let floating = match operator {
        ArithmeticOperator::Add | ArithmeticOperator::Subtract => OperationKind::Add,
        ArithmeticOperator::Multiply => OperationKind::Multiply,
        ArithmeticOperator::Divide => OperationKind::Divide,
        _ => OperationKind::Integer,
    };
    by_numbers(floating, numbers)
}

/// An operation of a kind, or one on integers; either if it is not known what it computes with.
fn by_numbers(floating: OperationKind, numbers: Option<Numbers>) -> Operations {
    let (floating, integer) = (Operations::one(floating), Operations::one(OperationKind::Integer));
    match numbers {
        Some(Numbers::Floating) => floating,
        Some(Numbers::Integers) => integer,
        None => floating.or(&integer),
    }
}

fn of_call(function: &Term) -> OperationKind {
    match function_stem(function) {
        Some("sqrt") => OperationKind::SquareRoot,
        _ => OperationKind::Call,
    }
}

/// The name of a function that computes a floating number, without the letter of its type.
fn function_stem(function: &Term) -> Option<&'static str> {
    let name = match function.kind() {
        TermKind::Name => function.text(),
        _ => return None,
    };
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let stem = name.strip_suffix(['f', 'l']).unwrap_or(name);
    FLOATING_FUNCTIONS.into_iter().find(|known| *known == name || *known == stem)
}

fn joined(left: &Term, right: &Term, scop: &Scop) -> Option<Numbers> {
    match (numbers(left, scop), numbers(right, scop)) {
        (Some(Numbers::Floating), _) | (_, Some(Numbers::Floating)) => Some(Numbers::Floating),
        (Some(Numbers::Integers), Some(Numbers::Integers)) => Some(Numbers::Integers),
        _ => None,
    }
}

/// What kind of number a term is; none if that is not known.
fn numbers(term: &Term, scop: &Scop) -> Option<Numbers> {
    match (term.kind(), term.children()) {
        (TermKind::Parenthesized | TermKind::Postfix(_), [inner])
        | (TermKind::Unary(UnaryOperator::Negate | UnaryOperator::Plus), [inner]) => {
            numbers(inner, scop)
        }
        (TermKind::Binary(BinaryOperator::Arithmetic(_)), [left, right])
        | (TermKind::Conditional, [_, left, right]) => joined(left, right, scop),
        (TermKind::Call, [function, ..]) => function_stem(function).map(|_| Numbers::Floating),
        _ => type_of(term, scop).map(|found| match found {
            ScalarType::Floating(_) => Numbers::Floating,
            ScalarType::Integer { .. } => Numbers::Integers,
        }),
    }
}

fn type_of(term: &Term, scop: &Scop) -> Option<ScalarType> {
    unsigned_number(term).map_or_else(|| term.value_type(scop), ScalarType::of_number)
}
