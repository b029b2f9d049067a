//! Trees as text: isl's YAML and its options of bands.
pub(crate) mod band_options;
pub(crate) mod parse;
pub(crate) mod print;
#[cfg(feature = "serde")]
pub(crate) mod serde_text;
pub mod yaml;
