//! Points of the generated code, for expressions over what is visible there.
pub(crate) mod build;
pub(crate) mod entry;
pub(crate) mod place;
pub(crate) mod run_time_checks;
