//! Rewriting of schedule trees for speed: distribution, tiling, wavefronts, loop order, choice of
//! parallel and vector loops.
//!
//! [`optimise`] takes the scheduler's tree, whose bands say which members may be permuted and which
//! carry no dependence, and returns a tree with the same instances in an order that runs faster.
//! Each step is one file:
//!
//! 1. [`distribute`]: statements that have fewer loops than a nest leave it, where no dependence
//!    keeps them inside;
//! 2. [`locality`] and [`loop_order`]: the innermost loop is one along which memory is accessed
//!    with unit stride;
//! 3. [`profit`] and [`tile`]: bands with reuse beyond the caches are tiled;
//! 4. [`register_tile`]: inside of the tiles, results that accumulate stay in vector registers;
//!    [`updates`] finds the tiles of factorizations in which one statement runs alone, as in a matrix product;
//! 5. [`concurrent`], [`tile::diamond`] and [`wavefront`]: tiles without a parallel loop are run in
//!    diagonals, in diamonds that start concurrently where the dependences allow it; or in rows that
//!    follow each other as in a pipeline;
//! 6. [`interleave`]: rows of innermost loops that carry a dependence advance in step;
//! 7. [`unroll_and_jam`]: several rows of a product of a matrix and a vector run together;
//! 8. [`parallel`]: the outermost loop that carries no dependence and has enough work per entry is
//!    marked; [`ranges`]: one that carries dependences at a single iteration is split there.
//!
//! [`reductions::with_reductions`] marks what may run at one time on request only.
//!
//! In the finished tree [`panels`] may be packed: parts of statements that are computed once per tile,
//! into contiguous local arrays.
//!
//! Before there is a schedule, scalars may be expanded ([`expansion`]), which afterwards need an element per
//! point of a tile.
//!
//! # Marks
//! The result uses [`LoopMark`](loopwright_schedule::LoopMark)s directly above bands of one member,
//! so that in the AST they stand directly above the loop: `parallel` (the iterations may run at the
//! same time) and `vector` (an innermost loop with independent iterations), both given private
//! copies of the scalars that the mark names; and `pipelined` above bands of two members or more.
//!
//! # Legality
//! Bands are only permuted and tiled if they are permutable. A loop is marked only after an exact
//! test that no dependence is between different iterations ([`independence`]). Whatever is decided
//! from sizes and strides concerns speed alone.

pub mod concurrent;
mod conflicts;
mod decision;
pub mod distribute;
mod drift;
mod driver;
mod estimate;
pub mod expansion;
pub mod extent;
mod feasible_parameters;
pub mod independence;
pub mod interleave;
mod local_array;
pub mod locality;
pub mod loop_order;
mod names;
mod nest;
pub mod panels;
pub mod parallel;
mod plan;
pub mod profit;
pub mod ranges;
pub mod reductions;
pub mod register_tile;
mod report;
pub mod tile;
pub mod unroll_and_jam;
pub mod updates;
pub mod vectorize;
pub mod wavefront;

pub use decision::{Decision, Threads};
pub use driver::{Optimised, Options, TileSizes, optimise};
pub use estimate::Estimate;
pub use nest::{Nest, NestAccess, NestStatement};
pub use report::{BandReport, Report};
pub use tile::diamond::ConcurrentStart;
