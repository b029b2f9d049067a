//! Tilings of bands: how they are tiled ([`rectangular`]), and with which sizes.
pub mod diamond;
pub mod footprint;
pub mod model;
pub mod rectangular;
pub mod sica;
