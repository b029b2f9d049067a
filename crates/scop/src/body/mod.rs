//! The bodies of statements: trees of expressions and statements that print as the programmer wrote them.
//!
//! A [`Body`] is a lossless tree of [`Term`]s: each has its kind, its parts, and the text around these. What
//! the transformations regenerate are leaves: elements with their subscripts and integer expressions over
//! iterators. So what a statement computes can be asked (which update it is, of which type a part of it is,
//! whether it means the same with vectors) and parts can be replaced, and what is printed stays the
//! programmer's text.
//!
//! The front end builds trees from its own ([`BodyBuilder`]); bodies that come as text are read
//! ([`Body::read`]). Nothing is ever rearranged: a tree is that of C's grammar, so that computing a part
//! elsewhere computes the same value.

mod arithmetic;
mod builder;
mod compaction;
mod counting_head;
mod early_exit;
mod leader;
mod literal;
mod operations;
mod operator;
mod operator_update;
mod print;
mod reader;
mod rows;
mod scalar_type;
mod speculation;
mod term;
pub mod tokens;
mod value_type;
mod visit;
mod ways_out;

pub use arithmetic::PlainAssignment;
pub use builder::BodyBuilder;
pub use compaction::Compaction;
pub use early_exit::EarlyExit;
pub use leader::Leader;
pub use literal::Literal;
pub use operations::{OperationKind, Operations};
pub use operator::{
    ArithmeticOperator, AssignmentOperator, BinaryOperator, ComparisonOperator, PostfixOperator,
    UnaryOperator,
};
pub use operator_update::{OperatorUpdate, PlacedPiece, UpdatePieces};
pub use print::BodyPiece;
pub use scalar_type::{FloatingType, ScalarType};
pub use term::{Element, Form, Term, TermKind};
pub use visit::TermPath;

use crate::ids::ArrayId;

/// The body of a statement: an expression statement, or a statement with control flow that depends on data,
/// without its final semicolon; runs of white space and line breaks are single blanks. Empty for statements
/// that are never executed.
#[derive(Clone, Default, PartialEq)]
pub struct Body {
    root: Option<Term>,
    hidden: Vec<ArrayId>,
}

impl Body {
    /// A body of one term.
    pub fn new(root: Term) -> Body {
        Body { root: Some(root), hidden: Vec::new() }
    }

    /// What the body is; none if it is empty.
    pub fn root(&self) -> Option<&Term> {
        self.root.as_ref()
    }

    /// The variables that its calls access without being given them.
    pub fn hidden(&self) -> &[ArrayId] {
        &self.hidden
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.root.is_none() && self.hidden.is_empty()
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Body({})", self.text_with(|form| format!("<{form}>")))
    }
}
