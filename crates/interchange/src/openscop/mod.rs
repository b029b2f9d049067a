//! OpenScop: relations as matrices of integers (Bastoul, "OpenScop: a specification and a library for
//! data exchange in polyhedral compilation tools", 2011).
mod extensions;
mod lines;
mod read;
mod relation;
mod relation_text;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

/// The tag of the extension with what the format has no place for: types and sizes of variables.
const OWN_EXTENSION: &str = "loopwright";
