//! Memory of blocks and threads: results of threads in registers, operands in tiles that the threads of a
//! block share.
//!
//! A kernel with promoted arrays is a part of a *promoted program*, a copy of the model in which copies are
//! statements like others and elements of promoted arrays have the coordinates of their block or thread in
//! front ([`Promotion`]). Its tree runs whole phases of a block one after the other: fill the tiles, wait,
//! compute, wait. Nothing here is trusted.
//!
//! [`Promotion`]: loopwright_scop::Promotion
mod buffers;
mod copies;
mod dimension;
mod fetches;
mod fragments;
mod kernel;
mod matrix_products;
mod operands;
mod padding;
mod promoting;
mod results;
mod site;
mod spread;
mod streams;
mod tile_boxes;
mod unwritten;
mod vectors;

pub use buffers::TileCopies;
pub(crate) use copies::{Accessed, Run, to_element};
pub(crate) use dimension::quotient;
pub use dimension::{Level, ThreadResults};
pub use fragments::MatrixShapes;
pub(crate) use kernel::{
    PromotedKernel, declared, filter_of, member_of, promoted_kernel, spread_over,
};
pub use matrix_products::{Product, products};
pub use promoting::KernelMemory;
pub(crate) use promoting::Promoting;
pub(crate) use results::of_outer;
pub(crate) use site::{Site, SiteStatement};
pub use tile_boxes::{TileBoxes, with_tile_boxes};
