//! One mapping per statement, and the traditional loop transformations as edits of mappings.
//!
//! The framework of Kelly, Pugh, "A framework for unifying reordering transformations" (University
//! of Maryland, CS-TR-3193, 1993): the order of a program is given by one mapping per statement from
//! its instances to tuples of integers that are executed in lexicographic order. A component of a
//! mapping is quasi-affine in the iterators. Interchange, skewing, distribution, fusion, blocking
//! and the others edit the components, and compose freely.
//!
//! [`Mapping`] is the value, the methods in its other `impl` blocks are the edits, and [`Script`] is a small
//! language for them (with the feature `serde` a text in other formats). Whether an edited order is legal is
//! for others to say: this crate knows no dependences.

mod blocking;
mod edits;
mod error;
mod expressions;
mod mapping;
mod reordering;
mod script;
#[cfg(feature = "serde")]
mod serde_text;
mod tree;

pub use error::EditError;
pub use mapping::{Component, MappedPiece, Mapping};
pub use script::{Script, Step};
