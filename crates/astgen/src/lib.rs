//! Abstract syntax trees from schedule trees.
//!
//! The method is that of Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than
//! scanning polyhedra" (TOPLAS 37(4), 2015), arranged in two passes: a descent through the
//! schedule decides which loops and conditions there are and keeps them as sets of constraints; a
//! second walk, which knows exactly what is enforced at every point, turns the constraints into
//! expressions.

mod ast;
mod baseline;
mod build;
mod components;
mod conditions;
mod descent;
mod disjunctions;
mod dividend;
mod emit;
mod entry;
mod executed;
mod expression;
mod expression_choices;
mod extreme;
mod floorless;
mod generate;
mod generator;
mod guard;
mod half_space;
mod intervals;
mod isolation;
mod iterator_names;
mod kelly_pugh;
mod lone_floor;
mod loop_bound;
mod lowering;
mod named_form;
mod names;
mod narrow;
mod nest;
mod options;
mod order;
mod pieces;
mod piecewise_bounds;
mod place;
mod prefix;
mod print_c;
mod print_json;
mod print_options;
mod print_tree;
mod program;
mod run_time_checks;
mod scope;
mod separation;
mod shift;
mod shortening;
mod single_bounds;
mod strategy;
mod stride;
mod sum;
mod tile_origin;
mod unroll;
mod value;
mod visitor;

pub use ast::{AstNode, ForLoop};
pub use build::Build;
pub use entry::Entry;
pub use expression::AstExpr;
pub use generate::{generate, generate_from_map};
pub use generator::Generator;
pub use lowering::Lowering;
pub use names::FreshNames;
pub use options::{Options, SeparationBounds};
pub use place::Place;
pub use print_json::json;
pub use print_options::{CText, NoPrinter, PrintOptions, Printer};
pub use print_tree::outline;
pub use program::{c_program, c_program_with};
pub use run_time_checks::{Assumption, do_not_overlap, in_bounds, run_time_condition};
pub use strategy::{Baseline, LevelRange, Separation, Strategy};
pub use visitor::{Annotation, Leaf, NoVisitor, Visitor};
