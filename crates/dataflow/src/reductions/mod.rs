//! Updates by associative operators: which there are ([`reduction`]), and which may run in any order
//! ([`reassociation`]; with the same results bit for bit: [`exact`]), or even at one time ([`atomic`]).
pub(crate) mod atomic;
pub(crate) mod exact;
pub(crate) mod operator;
pub(crate) mod reassociation;
pub(crate) mod reduction;
mod update;
