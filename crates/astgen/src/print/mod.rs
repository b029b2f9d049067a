//! Syntax trees as text.
pub(crate) mod c;
pub(crate) mod fresh_names;
pub(crate) mod json;
pub(crate) mod lowering;
pub(crate) mod options;
pub(crate) mod outline;
pub(crate) mod program;
pub(crate) mod widen_parameters;
