//! The polyhedral model of a program part.
//!
//! A [`Scop`] says which [`Statement`] instances there are, which array elements they touch, and
//! in which order the program runs them. Values of iterators are those of the source loops.

pub mod body;
mod check;
mod division;
mod element_text;
mod elements;
mod exit_reads;
mod expansion;
mod filters;
mod ids;
mod model;
mod panel;
mod parse;
mod print;
mod program_words;
mod promotion;
mod recomputation;
mod zoid;

pub use body::{
    ArithmeticOperator, AssignmentOperator, BinaryOperator, Body, BodyBuilder, BodyPiece,
    Compaction, ComparisonOperator, EarlyExit, Element, FloatingType, Form, Leader, Literal,
    OperationKind, Operations, OperatorUpdate, PlacedPiece, PlainAssignment, PostfixOperator,
    ScalarType, Term, TermKind, TermPath, UnaryOperator, UpdatePieces,
};
pub use division::Division;
pub use element_text::ElementText;
pub use exit_reads::ExitReads;
pub use expansion::Expansion;
pub use filters::{Filter, FilterAccess, FilterValue, FilteredScop, ValueBounds};
pub use ids::{ArrayId, ReferenceId, StatementId};
pub use model::{Access, AccessKind, Array, ElementKind, Location, Parameter, Scop, Statement};
pub use panel::Panel;
pub use parse::parse_body;
pub use program_words::ProgramWords;
pub use promotion::{PromotedArray, Promotion};
pub use recomputation::{PrivateArray, Recomputation, RecomputedStatement, SecondBuffer};
pub use zoid::{
    UnfoldedZoid, ZoidAxis, ZoidBounds, ZoidCut, ZoidForm, ZoidPiece, ZoidRecursion, ZoidValue,
};
