//! One band: what becomes of its loops.
//!
//! Data flows one way. A [`BandSite`](crate::site::BandSite) is the band where it is, with all that is known;
//! a [`BandPlan`](plan::BandPlan) is all that is decided about it, found in this order:
//!
//! 1. [`innermost`]: which member runs innermost, and what becomes of its loop;
//! 2. [`points`]: the order of the points, their tiles for caches and for registers;
//! 3. [`parallel_loop`]: the loops outside of the points, and which of them run on several threads; with
//!    [`concurrent_start`] and [`diagonal_tiles`] for tiles that depend on each other;
//!    Where the user has chosen the shape of tiles, [`chosen_tiling`] takes the place of these;
//! 4. [`plan`]: for bands without tiles, ranges of a loop or rows that run together; and the tree that is
//!    made of all this.
//!
//! `planned_cost` says what a planned band costs.
pub mod chosen_tiling;
pub mod concurrent_start;
pub mod diagonal_tiles;
pub mod innermost;
pub mod parallel_loop;
pub mod plan;
pub(crate) mod planned_cost;
pub mod points;
