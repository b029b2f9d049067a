//! isl's text notation, in and out.
//!
//! Reading goes through three steps: [`lexer`] splits the text into tokens, [`parser`] (with
//! [`parse_expression`]) resolves names and builds the trees of [`syntax`], [`lower`] turns formulas into
//! constraints over the values of [`piecewise`]. [`read`] holds the entry points. Writing is the work of
//! [`print_set`] for sets and relations and of [`print_function`] for quasi-affine expressions, both over
//! [`expression_text`]. Other text forms ([`mod@format`]) are [`polylib`], [`latex`], [`omega`] and
//! [`c_text`].

pub(crate) mod c_text;
pub(crate) mod expression_text;
pub(crate) mod format;
pub(crate) mod latex;
pub(crate) mod lexer;
pub(crate) mod linear;
pub(crate) mod lower;
pub(crate) mod omega;
pub(crate) mod parse_expression;
pub(crate) mod parser;
pub(crate) mod piecewise;
pub(crate) mod polylib;
pub(crate) mod polynomials;
pub(crate) mod print_function;
pub(crate) mod print_set;
pub(crate) mod read;
pub(crate) mod read_function;
pub(crate) mod syntax;
pub(crate) mod text_traits;
pub(crate) mod tuples;
