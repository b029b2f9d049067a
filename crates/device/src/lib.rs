//! From a schedule tree to one for a device with its own memory.
//!
//! [`with_kernels`] chooses the parts of a tree that become kernels ([`KernelMark`]) and the loops whose iterations are their
//! blocks and threads ([`LoopKind::Block`], [`LoopKind::Thread`]). [`with_barriers`] inserts the barriers that they need. [`Transfers`] says which elements are copied to the device
//! before a region and back after it. Nothing here is trusted: `loopwright-verify` proves both.
//!
//! [`KernelMark`]: loopwright_schedule::KernelMark
//! [`LoopKind::Block`]: loopwright_schedule::LoopKind::Block
//! [`LoopKind::Thread`]: loopwright_schedule::LoopKind::Thread

mod barriers;
mod map;
mod promotion;
mod select;
mod time_tiles;
mod transfers;

pub use barriers::with_barriers;
pub use promotion::Level as MemoryLevel;
pub use select::{PromotedSelection, Selection, has_kernels, with_kernels, with_promoted_kernels};
pub use time_tiles::tiles_as_blocks;
pub use transfers::{DeviceArray, Elements, Transfers};
