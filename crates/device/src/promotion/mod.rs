//! Memory of blocks and threads: results of threads in registers, operands of sums in tiles that the threads of a block share.
//!
//! A kernel with promoted arrays is a part of a *promoted program*, a copy of the model in which copies are statements like others
//! and elements of promoted arrays have the coordinates of their block or thread in front ([`Promotion`]). Its tree runs whole
//! phases of a block one after the other: fill the tiles, wait, compute, wait. Nothing here is trusted.
//!
//! [`Promotion`]: loopwright_scop::Promotion
mod copies;
mod dimension;
mod kernel;
mod operands;
mod padding;
mod promoting;
mod results;
mod site;

pub use dimension::Level;
pub(crate) use dimension::threads_of_promoted;
pub(crate) use kernel::promoted_kernel;
pub(crate) use promoting::Promoting;
