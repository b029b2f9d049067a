//! Abstract syntax trees and statement bodies to program text.
//!
//! [`print_region`] writes the C text of one region. The backend decides nothing: which loops are
//! parallel or vector loops is said by marks in the tree ([`LoopMark`]).
//!
//! [`LoopMark`]: loopwright_schedule::LoopMark

mod accumulators;
mod body;
mod disjoint;
mod implied;
mod linear;
mod region;
mod register_block;
mod register_block_text;
mod vector_expression;
mod vector_pragma;
mod work;
mod writer;

pub use loopwright_astgen::FreshNames;
pub use region::{Layout, Printed, Target, print_region};
pub use vector_pragma::VectorPragma;
