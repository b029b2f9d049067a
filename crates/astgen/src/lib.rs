//! Abstract syntax trees from schedule trees.
//!
//! The method is that of Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than
//! scanning polyhedra" (TOPLAS 37(4), 2015), arranged in two passes: a descent through the
//! schedule decides which loops and conditions there are and keeps them as sets of constraints; a
//! second walk, which knows exactly what is enforced at every point, turns the constraints into
//! expressions.
//!
//! # Code from a schedule that is built in code
//!
//! A schedule tree is built from the leaves up; [`generate`] makes a syntax tree of it, which prints
//! as C. [`CText`] has options of the text, [`c_program`] adds the macros that it uses, [`json`] and
//! [`outline`] are other forms.
//!
//! ```
//! use loopwright_astgen::{Options, generate};
//! use loopwright_presburger::{Budget, Int, MultiUnionPwAff, Set, UnionSet};
//! use loopwright_schedule::{AstLoopType, Band, Node, ScheduleTree, TileLoops};
//! let domain = UnionSet::parse("[n] -> { Init[i] : 0 <= i < n; Sum[i, j] : 0 <= i, j < n }")?;
//! let rows = Band::new(MultiUnionPwAff::parse("[{ Init[i] -> [i]; Sum[i, j] -> [i] }]")?);
//! let columns = Band::new(MultiUnionPwAff::parse("[{ Sum[i, j] -> [j] }]")?);
//! let (blocks, columns) = columns.tile(&[Int::from(4)], TileLoops::Scaled)?;
//! let columns = columns.with_loop_types(&[AstLoopType::Unroll]);
//! let sum = Node::band(blocks, Node::band(columns, Node::Leaf));
//! let body = Node::sequence(vec![
//!     (UnionSet::parse("{ Init[i] }")?, Node::Leaf),
//!     (UnionSet::parse("{ Sum[i, j] }")?, sum),
//! ]);
//! let tree = ScheduleTree::new(domain, Node::band(rows, body));
//! let context = Set::parse("[n] -> { : n >= 4 and n mod 4 = 0 }")?;
//! let ast = generate(&tree, &context, &Options::default(), &Budget::steps(1_000_000))?;
//! let expected = "\
//! for (int c0 = 0; c0 < n; c0 += 1) {
//!   Init(c0);
//!   for (int c1 = 0; c1 < n; c1 += 4) {
//!     Sum(c0, c1);
//!     Sum(c0, c1 + 1);
//!     Sum(c0, c1 + 2);
//!     Sum(c0, c1 + 3);
//!   }
//! }
//! ";
//! assert_eq!(ast.to_string(), expected);
//! # Ok::<(), loopwright_presburger::Error>(())
//! ```
//!
//! # The modules
//!
//! From the bottom up, each knowing only those before it: `options` are plain values, and `model` is
//! what code is generated for. `level` is one schedule dimension with what holds outside of it: its
//! bounds, congruences and single values. `cut` says how the values of a level are cut into pieces
//! that become loops, as a trait that `strategies` implement. `nest` is the tree between the two
//! passes, and `descent` the first pass. `expressions`, `places` (points of the generated code), `ast`,
//! and `emit`, the second pass, follow; `print` makes text of the result.

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
pub use ast::multiples::{first_multiple, with_multiples};
pub use ast::node::{AstNode, ForLoop};
pub use ast::visitor::{Leaf, NoVisitor, Visitor};
pub use expressions::expression::AstExpr;
pub use expressions::value_range::ValueRange;
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
