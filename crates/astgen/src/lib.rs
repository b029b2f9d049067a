//! Abstract syntax trees from schedule trees.
//!
//! The method is that of Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than
//! scanning polyhedra" (TOPLAS 37(4), 2015), arranged in two passes: a descent through the
//! schedule decides which loops and conditions there are and keeps them as sets of constraints; a
//! second walk, which knows exactly what is enforced at every point, turns the constraints into
//! expressions.

mod ast;
mod cut;
mod descent;
mod emit;
mod expressions;
mod generate;
mod generator;
mod level;
mod model;
mod nest;
mod options;
mod places;
mod print;
mod strategies;

pub use ast::annotation::Annotation;
pub use ast::node::{AstNode, ForLoop};
pub use ast::visitor::{Leaf, NoVisitor, Visitor};
pub use expressions::expression::AstExpr;
pub use generate::{generate, generate_from_map};
pub use generator::Generator;
pub use options::choices::{Options, SeparationBounds};
pub use options::strategy::{Baseline, LevelRange, Separation, Strategy};
pub use places::build::Build;
pub use places::entry::Entry;
pub use places::place::Place;
pub use places::run_time_checks::{Assumption, do_not_overlap, in_bounds, run_time_condition};
pub use print::fresh_names::FreshNames;
pub use print::json::json;
pub use print::lowering::Lowering;
pub use print::options::{CText, NoPrinter, PrintOptions, Printer};
pub use print::outline::outline;
pub use print::program::{c_program, c_program_with};
