//! Abstract syntax trees and statement bodies to program text.
//!
//! [`print_region`] writes the C text of one region. The backend decides nothing: which loops are
//! parallel or vector loops is said by marks in the tree ([`LoopMark`]).
//!
//! [`LoopMark`]: loopwright_schedule::LoopMark

mod body;
pub mod device;
mod element_alias;
mod implied;
mod linear;
mod parallel_threshold;
mod parameters;
mod region;
mod register_block;
mod register_block_text;
mod scalar_replacement;
mod thread_condition;
mod vector_expression;
mod vector_pragma;
mod writer;
mod zoid_functions;

pub use loopwright_astgen::FreshNames;
pub use parameters::{parameter_range, signed_bytes};
pub use region::{Layout, RegionText, Synchronisation, Target, print_region};
pub use thread_condition::with_thread_condition;
pub use vector_pragma::VectorPragma;
pub use zoid_functions::{PassedOn, ZoidLayout, print_first_zoid, print_zoid_functions};
