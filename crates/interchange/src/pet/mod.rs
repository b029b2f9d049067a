//! The YAML of pet: sets and relations in isl's notation, bodies as trees of expressions.
mod expression;
mod expression_text;
mod read;
mod statement;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;
