//! The front door for programs that use the library: models that are built in code, schedules for
//! constraints.
pub(crate) mod model_builder;
pub(crate) mod scheduling;
