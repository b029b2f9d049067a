//! Where values live: arrays that the program does not have.
pub(crate) mod local_array;
pub(crate) mod names;
