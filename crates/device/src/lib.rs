//! From a schedule tree to one for a device with its own memory.
//!
//! [`with_kernels`] chooses the parts of a tree that become kernels ([`KernelMark`]) and the loops whose iterations are their
//! blocks and threads ([`LoopKind::Block`], [`LoopKind::Thread`]). [`Transfers`] says which elements are copied to the device
//! before a region and back after it. Sizes of blocks come from a model of the device ([`KernelPlan`]) or from the user
//! ([`GivenSizes`]). Nothing here is trusted: `loopwright-verify` proves both.
//!
//! [`KernelMark`]: loopwright_schedule::KernelMark
//! [`LoopKind::Block`]: loopwright_schedule::LoopKind::Block
//! [`LoopKind::Thread`]: loopwright_schedule::LoopKind::Thread

mod given_sizes;
mod map;
mod occupancy;
mod parts;
mod select;
mod sizes;
mod strides;
mod transfers;

pub use given_sizes::{GivenSizes, KernelSizes};
pub use occupancy::{BlockNeeds, Limit, Occupancy};
pub use parts::{KernelPart, kernel_parts};
pub use select::{CHOOSING_SIZES, Selection, has_kernels, with_kernels};
pub use sizes::KernelPlan;
pub use transfers::{DeviceArray, Elements, Transfers};
