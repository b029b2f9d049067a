//! Updates by associative operators: which there are ([`reduction`]), and which may run in any order
//! ([`reassociation`]), or even at one time ([`atomic`]).
pub(crate) mod atomic;
pub(crate) mod operator;
pub(crate) mod reassociation;
pub(crate) mod reduction;
mod update;
