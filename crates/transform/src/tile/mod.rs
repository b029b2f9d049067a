//! Tilings of bands.
pub mod diamond;
pub mod rectangular;
