//! One band: what becomes of its loops.
//!
//! [`plan`] has the choices for it, [`parallel_loop`] which of the loops run on several threads, and
//! [`concurrent_start`] when the tiles of a stencil start at the same time.
pub mod concurrent_start;
pub mod parallel_loop;
pub(crate) mod plan;
