//! From a schedule tree to one for a device with its own memory.
//!
//! [`with_kernels`] chooses the parts of a tree that become kernels ([`KernelMark`]) and the loops whose
//! iterations are their blocks and threads ([`LoopKind::Block`], [`LoopKind::Thread`]), of sizes that come
//! from a model of the device ([`KernelPlan`]) or from the user ([`GivenSizes`]). [`with_promoted_kernels`]
//! keeps values in the memory of blocks and threads, and [`with_barriers`] inserts the barriers that are
//! needed. [`Transfers`] says which elements are copied to the device before a region and back after it.
//! Nothing here is trusted: `loopwright-verify` proves all of it.
//!
//! [`KernelMark`]: loopwright_schedule::KernelMark
//! [`LoopKind::Block`]: loopwright_schedule::LoopKind::Block
//! [`LoopKind::Thread`]: loopwright_schedule::LoopKind::Thread

mod atomics;
mod barriers;
mod given_sizes;
mod hexagon_costs;
mod map;
mod occupancy;
mod one_block;
mod parts;
mod persistent;
mod promotion;
mod reductions;
mod scans;
mod select;
mod selection;
mod sizes;
mod steps;
mod strides;
mod time_tile_costs;
mod time_tiles;
mod transfers;

pub use atomics::{are_in_independent_loops, with_atomic_marks};
pub use barriers::{with_barriers, with_grid_barriers};
pub use given_sizes::{GivenSizes, KernelSizes};
pub use occupancy::{BlockNeeds, Limit, Occupancy};
pub use parts::{KernelPart, kernel_parts};
pub use persistent::Launches;
pub use promotion::{
    KernelMemory, Level as MemoryLevel, MatrixShapes, Product, ThreadResults, TileBoxes,
    TileCopies, products, with_tile_boxes,
};
pub use reductions::{PartialSelection, with_partial_results};
pub use scans::{Scan, ScanSelection, with_scans};
pub use select::{
    CHOOSING_SIZES, PromotedSelection, has_kernels, with_kernels, with_promoted_kernels,
};
pub use selection::Selection;
pub use sizes::KernelPlan;
pub use time_tile_costs::{Stencil, StencilArray, StencilStatement, TimeTile};
pub use time_tiles::{TileExtents, TilesAsBlocks, tile_plan, tiles_as_blocks};
pub use transfers::{DeviceArray, Elements, Transfers};
