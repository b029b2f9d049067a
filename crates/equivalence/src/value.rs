//! What instances of statements compute: values as trees of operators over reads and integers.
use loopwright_presburger::{Map, PwAff, Set};
use loopwright_scop::{ArithmeticOperator, ArrayId, ComparisonOperator, ScalarType};
use std::fmt;

/// A node of a value, by its position in the program's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) usize);

/// A read, by its position in the program's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ReadId(pub(crate) usize);

/// What an operator is. Two are equal only if they are the same function of their operands, bit by bit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Function {
    Arithmetic(ArithmeticOperator),
    Comparison(ComparisonOperator),
    Negate,
    Complement,
    /// The second operand if the first is not zero, else the third.
    Select,
    /// The operand as a value of the type.
    Convert,
    /// A function without side effects, by its name.
    Call(String),
    /// The least or the greatest operand, where a law holds for it.
    Extremum(Extremum),
    /// A constant that is no integer, by its text or bits.
    Constant(String),
    /// A statement as a function of what it reads, by its text and the types of what it names.
    Uninterpreted {
        text: String,
        types: String,
    },
    /// Operands of such a function that may not matter.
    Perhaps,
}

/// A minimum or a maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extremum {
    /// The least of the operands.
    Minimum,
    /// The greatest of the operands.
    Maximum,
}

/// An operator with the type that it computes in, where that is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Operator {
    pub(crate) function: Function,
    pub(crate) value_type: Option<ScalarType>,
}

/// What a node is.
#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    /// The value of an element.
    Read(ReadId),
    /// An integer, as a function of the instance.
    Integer(PwAff),
    /// An operator on the values of other nodes of the same statement.
    Operation(Operator, Vec<NodeId>),
    /// One of two values by what the instance is.
    Choice { condition: Set, then: NodeId, otherwise: NodeId },
}

/// A node with the statement whose instances it is about.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) statement: usize,
    pub(crate) kind: NodeKind,
}

/// An element that the instances of a statement read before they write.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) statement: usize,
    pub(crate) array: ArrayId,
    /// `S[i] -> A[x]`.
    pub(crate) relation: Map,
}

/// An element that the instances of a statement write, with what.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) statement: usize,
    pub(crate) array: ArrayId,
    /// `S[i] -> A[x]`.
    pub(crate) relation: Map,
    pub(crate) value: NodeId,
}

impl Extremum {
    /// Its name in options and in directives of OpenMP.
    pub fn name(self) -> &'static str {
        match self {
            Extremum::Minimum => "min",
            Extremum::Maximum => "max",
        }
    }
}

impl Operator {
    pub(crate) fn new(function: Function, value_type: Option<ScalarType>) -> Self {
        Operator { function, value_type }
    }

    /// Whether it is only known by the text of a statement.
    pub(crate) fn is_uninterpreted(&self) -> bool {
        matches!(self.function, Function::Uninterpreted { .. } | Function::Perhaps)
    }

    /// Whether combining a value with itself is that value.
    pub(crate) fn is_idempotent(&self) -> bool {
        use ArithmeticOperator::{And, Or};
        matches!(self.function, Function::Extremum(_) | Function::Arithmetic(And | Or))
    }

    /// Whether it is written between its operands.
    pub(crate) fn infix(&self) -> Option<&'static str> {
        match &self.function {
            Function::Arithmetic(operator) => Some(operator.symbol()),
            Function::Comparison(operator) => Some(operator.symbol()),
            _ => None,
        }
    }
}

/// The name of a type in C.
fn type_name(of: ScalarType) -> String {
    match of {
        ScalarType::Floating(floating) => floating.keyword().to_string(),
        ScalarType::Integer { is_signed, bytes } => {
            let sign = if is_signed { "int" } else { "uint" };
            format!("{sign}{}_t", 8 * bytes)
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Function::Arithmetic(operator) => f.write_str(operator.symbol()),
            Function::Comparison(operator) => f.write_str(operator.symbol()),
            Function::Negate => f.write_str("-"),
            Function::Complement => f.write_str("~"),
            Function::Select => f.write_str("?:"),
            Function::Convert => match self.value_type {
                Some(to) => write!(f, "({})", type_name(to)),
                None => f.write_str("(?)"),
            },
            Function::Extremum(own) => f.write_str(own.name()),
            Function::Call(name) | Function::Constant(name) => f.write_str(name),
            Function::Uninterpreted { text, .. } => write!(f, "{{{text}}}"),
            Function::Perhaps => f.write_str("perhaps"),
        }
    }
}

/// An integer as one of a type.
pub(crate) fn wrapped(value: i128, is_signed: bool, bytes: u64) -> Option<i128> {
    let bits = u32::try_from(8 * bytes).ok().filter(|bits| (1..=64).contains(bits))?;
    let modulus = 1i128 << bits;
    let value = value.rem_euclid(modulus);
    Some(if is_signed && value >= modulus / 2 { value - modulus } else { value })
}
