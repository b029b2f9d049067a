//! Multifor statements: for-loops, and nests of them, that advance together over one referential domain.
//!
//! Fassi, Clauss, Kuhn, Slama, "Multifor for multicore", IMPACT 2013. [`Multifor`] is a statement as a value,
//! [`trace`] the reference interpreter, [`schedule_tree`] the statement as a schedule and [`generated`] as
//! plain C.

mod affine;
mod code;
mod error;
mod intent;
mod interpreter;
mod legality;
mod lower;
mod matching;
mod model;
mod multifor;
mod names;
mod nest_text;
mod offsets;
mod order;
mod perfect_nests;
mod pieces;
mod plan;
mod ranks;
mod sequential;
mod settings;
mod text;
mod tree;

pub use code::{CodeOptions, Generated, Scheme, generated};
pub use error::MultiforError;
pub use intent::{Intent, OffsetChoice, Threads};
pub use interpreter::{Event, NoTrace, trace, trace_by_ranks};
pub use legality::ViolatedPair;
pub use lower::{Lowered, LoweredStatement, lowered};
pub use multifor::{Body, Level, Multifor, Phase};
pub use perfect_nests::{PerfectNests, perfect_nests};
pub use ranks::mapping::{RankOptions, mapped_by_ranks};
pub use ranks::ranking::Ranking;
pub use ranks::unranking::unranking_function;
pub use settings::LowerSettings;
pub use text::Team;
pub use tree::{Order, TreeOptions, schedule_tree};
