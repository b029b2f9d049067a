//! The polyhedral model of a program part.
//!
//! A [`Scop`] says which [`Statement`] instances there are, which array elements they touch, and
//! in which order the program runs them. Values of iterators are those of the source loops.

mod check;
mod division;
mod element_text;
mod expansion;
mod expression;
mod model;
mod panel;
mod parse;
mod print;
mod tokens;

pub use division::Division;
pub use element_text::ElementText;
pub use expansion::Expansion;
pub use expression::{
    ArithmeticOperator, Assignment, AssignmentOperator, Expression, ExpressionKind, Position, Span,
    ValueType,
};
pub use model::{
    Access, AccessKind, Array, ArrayId, BodyPiece, ElementKind, Location, Parameter, ReferenceId,
    Scop, Statement, StatementId,
};
pub use panel::Panel;
pub use parse::parse_body;
