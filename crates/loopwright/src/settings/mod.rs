//! What a compilation is told.
pub(crate) mod by_name;
pub(crate) mod choices;
pub(crate) mod devices;
pub(crate) mod effort;
pub(crate) mod embedding;
pub(crate) mod multifor;
pub(crate) mod options;
pub(crate) mod strategy;
pub(crate) mod tiles;
pub(crate) mod transformation;
pub(crate) mod words;
