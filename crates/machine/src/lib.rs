//! What the target machine looks like: cores, caches, address translation, vector registers.
//!
//! A [`Machine`] is detected from the running Linux system ([`Machine::detect`]), read from a
//! description file ([`Machine::parse`], [`Described::overridden`]), or assumed ([`Machine::generic`]).
//! [`Described`] also says where each fact comes from. Decisions based on a machine concern speed
//! only: a wrong description never makes generated code wrong.

mod described;
mod description;
mod detect;
mod facts;
mod machine;

pub use described::{Described, Source};
pub use description::DescriptionError;
pub use machine::Machine;
