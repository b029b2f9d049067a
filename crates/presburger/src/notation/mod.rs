//! isl's text notation, in and out.
//!
//! Reading goes through three steps: [`lexer`] splits the text into tokens, [`parser`] (with
//! [`parse_expression`]) resolves names and builds the trees of [`syntax`], [`lower`] turns formulas
//! into constraints over the values of [`piecewise`]. [`read`] holds the entry points. Writing is the work of [`print_set`] for sets and relations and of
//! [`print_function`] for quasi-affine expressions, both over [`expression_text`]. Other text forms
//! ([`format`]) are [`polylib`], [`latex`], [`omega`] and [`c_text`].

mod c_text;
mod expression_text;
mod format;
mod latex;
mod lexer;
mod linear;
mod lower;
mod omega;
mod parse_expression;
mod parser;
mod piecewise;
mod polylib;
mod polynomials;
mod print_function;
mod print_set;
mod read;
mod read_function;
mod syntax;
mod tuples;

pub use format::Format;
pub use lexer::is_keyword;
