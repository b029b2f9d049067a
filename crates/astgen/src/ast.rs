//! The abstract syntax tree: loops, conditions, blocks, calls of statements, and expressions.
use crate::Place;
use loopwright_presburger::{Int, Name, Space};
use std::sync::Arc;

/// An expression. Divisors are positive constants.
///
/// All operators are eager: every operand may be evaluated, and none traps.
#[derive(Clone, Debug, PartialEq)]
pub enum AstExpr {
    /// A constant.
    Int(Int),
    /// An iterator or a parameter.
    Id(Name),
    /// Negation.
    Neg(Box<AstExpr>),
    /// Sum.
    Add(Box<AstExpr>, Box<AstExpr>),
    /// Difference.
    Sub(Box<AstExpr>, Box<AstExpr>),
    /// Product.
    Mul(Box<AstExpr>, Box<AstExpr>),
    /// Division known to be exact.
    DivExact(Box<AstExpr>, Box<AstExpr>),
    /// Division of a dividend known not to be negative.
    DivNonneg(Box<AstExpr>, Box<AstExpr>),
    /// Division rounded towards minus infinity.
    DivFloor(Box<AstExpr>, Box<AstExpr>),
    /// Remainder of a dividend known not to be negative.
    RemNonneg(Box<AstExpr>, Box<AstExpr>),
    /// Remainder that is only compared with zero.
    RemZero(Box<AstExpr>, Box<AstExpr>),
    /// The least of two or more.
    Min(Vec<AstExpr>),
    /// The greatest of two or more.
    Max(Vec<AstExpr>),
    /// `condition ? a : b`.
    Select(Box<AstExpr>, Box<AstExpr>, Box<AstExpr>),
    /// All hold (eager).
    And(Vec<AstExpr>),
    /// One holds (eager).
    Or(Vec<AstExpr>),
    /// Equal.
    Eq(Box<AstExpr>, Box<AstExpr>),
    /// Less or equal.
    Le(Box<AstExpr>, Box<AstExpr>),
    /// Less.
    Lt(Box<AstExpr>, Box<AstExpr>),
    /// Greater or equal.
    Ge(Box<AstExpr>, Box<AstExpr>),
    /// Greater.
    Gt(Box<AstExpr>, Box<AstExpr>),
    /// A call (of a statement or a function) with arguments.
    Call(Name, Vec<AstExpr>),
}

/// A loop `for (iterator = init; condition; iterator += increment) body`.
#[derive(Clone, Debug)]
pub struct ForLoop {
    /// The iterator's name, unique among enclosing loops.
    pub iterator: Name,
    /// First value.
    pub init: AstExpr,
    /// The condition to go on (`c0 < n`, or a conjunction).
    pub condition: AstExpr,
    /// The step, positive.
    pub increment: Int,
    /// What is repeated.
    pub body: Box<AstNode>,
    /// Whether there is exactly one iteration (then `condition` need not be evaluated).
    pub degenerate: bool,
    /// Whether the band member was coincident.
    pub coincident: bool,
    /// The schedule dimension that the loop runs over.
    pub dimension: usize,
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub enum AstNode {
    /// A loop.
    For(ForLoop),
    /// A condition.
    If {
        /// The condition.
        condition: AstExpr,
        /// What to do if it holds.
        then: Box<AstNode>,
        /// What to do otherwise.
        otherwise: Option<Box<AstNode>>,
    },
    /// One after the other.
    Block(Vec<AstNode>),
    /// A name attached to a subtree.
    Mark {
        /// The name.
        name: Name,
        /// The number of schedule dimensions outside: a mark above a band speaks about the loop
        /// of this dimension, if there is one.
        dimension: usize,
        /// The subtree.
        child: Box<AstNode>,
    },
    /// An instance of a statement.
    User {
        /// The statement's tuple (name and number of arguments).
        statement: Space,
        /// The values of the instance's coordinates.
        arguments: Vec<AstExpr>,
        /// Where the node stands: turns expressions over the statement's domain into expressions
        /// over the iterators of the loops around.
        place: Arc<Place>,
    },
}

impl AstExpr {
    /// A comparison with another left operand; other expressions stay as they are.
    pub fn with_left_side(&self, left: &AstExpr) -> AstExpr {
        use AstExpr::*;
        let left = Box::new(left.clone());
        match self {
            Lt(_, right) => Lt(left, right.clone()),
            Le(_, right) => Le(left, right.clone()),
            Gt(_, right) => Gt(left, right.clone()),
            Ge(_, right) => Ge(left, right.clone()),
            Eq(_, right) => Eq(left, right.clone()),
            other => other.clone(),
        }
    }

    /// Whether the name appears in the expression.
    pub fn mentions(&self, name: &Name) -> bool {
        use AstExpr::*;
        match self {
            Int(_) => false,
            Id(id) => id == name,
            Neg(a) => a.mentions(name),
            Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | DivExact(a, b)
            | DivNonneg(a, b)
            | DivFloor(a, b)
            | RemNonneg(a, b)
            | RemZero(a, b)
            | Eq(a, b)
            | Le(a, b)
            | Lt(a, b)
            | Ge(a, b)
            | Gt(a, b) => a.mentions(name) || b.mentions(name),
            Select(a, b, c) => [a, b, c].into_iter().any(|e| e.mentions(name)),
            Min(list) | Max(list) | And(list) | Or(list) | Call(_, list) => {
                list.iter().any(|e| e.mentions(name))
            }
        }
    }

    /// The constant `value`.
    pub fn int(value: i64) -> Self {
        AstExpr::Int(Int::from(value))
    }

    /// The value, if the expression is a constant.
    pub fn as_int(&self) -> Option<&Int> {
        match self {
            AstExpr::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The conjunction; no operand means true, which is the constant 1.
    pub fn and(mut operands: Vec<AstExpr>) -> Self {
        match operands.len() {
            0 => Self::int(1),
            1 => operands.remove(0),
            _ => AstExpr::And(operands),
        }
    }

    /// The disjunction; no operand means false, which is the constant 0.
    pub fn or(mut operands: Vec<AstExpr>) -> Self {
        match operands.len() {
            0 => Self::int(0),
            1 => operands.remove(0),
            _ => AstExpr::Or(operands),
        }
    }

    /// The least of one or more operands.
    pub fn min(mut operands: Vec<AstExpr>) -> Self {
        if operands.len() == 1 { operands.remove(0) } else { AstExpr::Min(operands) }
    }

    /// The greatest of one or more operands.
    pub fn max(mut operands: Vec<AstExpr>) -> Self {
        if operands.len() == 1 { operands.remove(0) } else { AstExpr::Max(operands) }
    }
}
