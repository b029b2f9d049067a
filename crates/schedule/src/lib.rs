//! Schedule trees: nodes, editing, text form, flattening, tiling of bands.
//!
//! A [`ScheduleTree`] orders the instances of its domain, see Verdoolaege, Guelton, Grosser,
//! Cohen, "Schedule Trees" (IMPACT 2014) and section 4 of "Scheduling for PPCG".
//!
//! Trees are read from isl's YAML or built from the leaves up:
//!
//! ```
//! use loopwright_presburger::{Int, MultiUnionPwAff, UnionSet};
//! use loopwright_schedule::{Band, Node, ScheduleTree, TileLoops};
//! let domain = UnionSet::parse("[n] -> { S[i, j] : 0 <= i, j < n }")?;
//! let loops = MultiUnionPwAff::parse("[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]")?;
//! let band = Band::new(loops).with_permutable(true).with_coincident(&[true, true]);
//! let (tiles, points) = band.tile(&[Int::from(32), Int::from(32)], TileLoops::Scaled)?;
//! let root = Node::mark("parallel", Node::band(tiles, Node::band(points, Node::Leaf)));
//! let tree = ScheduleTree::new(domain, root);
//! assert_eq!(tree.to_string().parse::<ScheduleTree>()?.root.depth(), 3);
//! # Ok::<(), loopwright_presburger::Error>(())
//! ```
//!
//! With the feature `serde` a tree is a text in its YAML.

mod edits;
mod order;
mod text;
mod tree;

pub use order::flatten::UnorderedLevel;
pub use order::origin_loops::OriginLoops;
pub use order::reaching::{Piece, Reaching};
pub use text::yaml;
pub use tree::band::TileLoops;
pub use tree::band_values::PointLoops;
pub use tree::device_mark::{
    AsynchronousMark, AtomicMark, Axis, BarrierMark, GridBarrierMark, KernelMark, MatrixMark,
    ShuffleMark, VectorCopyMark,
};
pub use tree::local_mark::{LocalMark, MemorySpace};
pub use tree::loop_mark::{LoopKind, LoopMark, LoopReduction};
pub use tree::node::{AstLoopType, Band, Member, Node, ScheduleTree};
pub use tree::origin_mark::OriginMark;
pub use tree::search_mark::SearchMark;
