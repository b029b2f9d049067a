//! Tilings of bands: how they are tiled, and with which sizes.
//!
//! * [`rectangular`], [`diamond`]: the shapes of tiles;
//! * [`model`], [`sica`]: sizes by models of the caches;
//! * [`register_tile`], [`trailing_update`]: tiles inside of these whose results stay in registers;
//! * [`unroll_and_jam`]: strips of one loop of an untiled band.
pub mod diamond;
pub mod model;
pub mod rectangular;
pub mod register_tile;
pub mod sica;
pub mod trailing_update;
pub mod unroll_and_jam;
