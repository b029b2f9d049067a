//! Schedule trees: nodes, editing, text form, flattening, tiling of bands.
//!
//! A [`ScheduleTree`] orders the instances of its domain, see Verdoolaege, Guelton, Grosser,
//! Cohen, "Schedule Trees" (IMPACT 2014) and section 4 of "Scheduling for PPCG".

mod band;
mod band_values;
mod check;
mod edit;
mod expand;
mod expansions;
mod flatten;
mod local_mark;
mod loop_mark;
mod node;
mod options;
mod parse;
mod precedence;
mod print;
mod queries;
mod reaching;
mod reorder;
mod restrict;
pub mod yaml;

pub use band::TileLoops;
pub use band_values::PointLoops;
pub use flatten::UnorderedLevel;
pub use local_mark::LocalMark;
pub use loop_mark::{LoopKind, LoopMark, LoopReduction};
pub use node::{AstLoopType, Band, Member, Node, ScheduleTree};
pub use reaching::{Piece, Reaching};
