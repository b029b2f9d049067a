//! A calculator for sets, relations, schedules and code, in the language of iscc.
//!
//! A [`Session`] remembers variables and executes texts of statements. Text becomes tokens and a tree in
//! `parser` and `literals`; `evaluate` computes [`Value`]s with the operators of `operators` and
//! `polynomials` and the functions of `functions`. The language is described in `docs/calc.md`, whose
//! examples are tests.

mod dependence;
mod evaluate;
mod files;
mod functions;
mod generate;
mod keywords;
mod literals;
mod operators;
mod pairs;
mod parser;
mod polynomials;
mod problem;
mod scanner;
mod session;
mod syntax;
mod value;

pub use files::Files;
pub use functions::{Function, function_names, functions};
pub use problem::Problem;
pub use scanner::is_complete;
pub use session::{Line, Session, Settings};
pub use value::Value;
