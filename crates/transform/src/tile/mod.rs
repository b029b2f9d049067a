//! Tilings of bands.
pub mod rectangular;
