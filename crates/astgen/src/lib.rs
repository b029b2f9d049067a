//! Abstract syntax trees from schedule trees.
//!
//! The method is that of Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than
//! scanning polyhedra" (TOPLAS 37(4), 2015), arranged in two passes: a descent through the
//! schedule decides which loops and conditions there are and keeps them as sets of constraints; a
//! second walk, which knows exactly what is enforced at every point, turns the constraints into
//! expressions.

mod ast;
mod components;
mod conditions;
mod descent;
mod emit;
mod executed;
mod expression;
mod generate;
mod guard;
mod half_space;
mod intervals;
mod isolation;
mod kelly_pugh;
mod lone_floor;
mod lowering;
mod names;
mod nest;
mod options;
mod order;
mod pieces;
mod place;
mod prefix;
mod print_c;
mod print_json;
mod print_tree;
mod program;
mod scope;
mod separation;
mod shift;
mod strategy;
mod stride;
mod sum;
mod unroll;
mod value;

pub use ast::{AstNode, ForLoop};
pub use expression::AstExpr;
pub use generate::{generate, generate_from_map};
pub use lowering::Lowering;
pub use names::FreshNames;
pub use options::Options;
pub use place::Place;
pub use print_json::json;
pub use print_tree::outline;
pub use program::c_program;
pub use strategy::{LevelRange, Separation, Strategy};
