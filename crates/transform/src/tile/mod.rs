//! Tilings of bands: how they are tiled, and with which sizes.
//!
//! * [`rectangular`], [`diamond`], [`trapezoid`], [`molecular`], [`hexagon`]: the shapes of tiles; [`tiling`]
//!   chooses them by name, or by what they cost ([`tiling_cost`]);
//! * [`cone`]: how far dependences move per time step, which the last three shapes follow;
//! * [`model`], [`sica`]: sizes by models of the caches;
//! * [`register_tile`], [`trailing_update`]: tiles inside of these whose results stay in registers;
//! * [`unroll_and_jam`]: strips of one loop of an untiled band.
pub mod cone;
pub mod diamond;
pub(crate) mod distances;
pub mod full_tiles;
pub mod hexagon;
pub mod model;
pub mod molecular;
pub mod origins;
pub mod phases;
pub mod rectangular;
pub mod register_tile;
pub mod sica;
pub(crate) mod slanted;
pub mod tiling;
pub mod tiling_cost;
pub mod trailing_update;
pub mod trapezoid;
pub mod unroll_and_jam;
