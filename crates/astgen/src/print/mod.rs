//! Syntax trees as text.
pub(crate) mod c;
pub(crate) mod json;
pub(crate) mod lowering;
pub(crate) mod names;
pub(crate) mod narrow;
pub(crate) mod options;
pub(crate) mod outline;
pub(crate) mod program;
