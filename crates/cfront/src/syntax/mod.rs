//! Syntax trees: the parser, the trees as arrays, and questions about them that need no names.

// First: the modules below use its macro.
#[macro_use]
pub(crate) mod kind;

pub(crate) mod parser;
pub(crate) mod queries;
pub(crate) mod shape;
pub(crate) mod tree;
pub(crate) mod tree_parts;
