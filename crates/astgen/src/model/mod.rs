//! What code is generated for: statements with the values of their schedule dimensions.
pub(crate) mod depth;
pub(crate) mod prefix;
pub(crate) mod reaching;
pub(crate) mod statement;
