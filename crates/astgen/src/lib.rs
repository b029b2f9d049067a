//! Abstract syntax trees from schedule trees.

mod ast;

pub use ast::{AstExpr, AstNode, ForLoop};
