//! What the target machine looks like: cores, caches, address translation, vector registers.
//!
//! A [`Machine`] is detected from the running Linux system ([`Machine::detect`]), read from a description
//! file ([`Machine::parse`], [`Described::overridden`]), or assumed ([`Machine::generic`]). [`Described`]
//! also says where each fact comes from. A [`Device`] with its own memory is one of those that are known by
//! name ([`DescribedDevice::named`]) or described in a file. Decisions based on either concern speed only: a
//! wrong description never makes generated code wrong.

mod described;
mod description;
mod detect;
mod device;
mod facts;
mod machine;

pub use described::{Described, Source};
pub use description::DescriptionError;
pub use device::{DescribedDevice, Device};
pub use machine::Machine;
