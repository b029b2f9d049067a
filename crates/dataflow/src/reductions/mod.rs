//! Updates by associative operators: which there are ([`reduction`]), and which may run in any order
//! ([`reassociation`]).
pub(crate) mod operator;
pub(crate) mod reassociation;
pub(crate) mod reduction;
mod update;
