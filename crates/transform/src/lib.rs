//! Rewriting of schedule trees for speed: distribution, tiling, wavefronts, loop order, choice of
//! parallel and vector loops.
//!
//! [`optimise`] takes the scheduler's tree, whose bands say which members may be permuted and which
//! carry no dependence, and returns a tree with the same instances in an order that runs faster.
//! Each step is one file:
//!
//! 1. [`loops::distribute`]: statements that have fewer loops than a nest leave it, where no dependence
//!    keeps them inside;
//! 2. [`cost::locality`] and [`loops::loop_order`]: the innermost loop is one along which memory is accessed
//!    with unit stride;
//! 3. [`cost::profitability`] and [`tile`]: bands with reuse beyond the caches are tiled;
//! 4. [`tile::register_tile`]: inside of the tiles, results that accumulate stay in vector registers;
//!    [`tile::trailing_update`] finds the tiles of factorizations in which one statement runs alone, as in a
//!    matrix product;
//! 5. [`band::concurrent_start`], [`tile::diamond`] and [`loops::wavefront`]: tiles without a parallel loop
//!    are run in diagonals, in diamonds that start concurrently where the dependences allow it; or in rows
//!    that follow each other as in a pipeline; Where the shape of tiles is named ([`Tiling`]),
//!    [`tile::tiling`] takes the place of these choices;
//! 6. [`loops::interleave`]: rows of innermost loops that carry a dependence advance in step;
//! 7. [`tile::unroll_and_jam`]: several rows of a product of a matrix and a vector run together;
//! 8. [`band::parallel_loop`]: the outermost loop that carries no dependence and has enough work per entry is
//!    marked; [`loops::split_at_carried_iteration`]: one that carries dependences at a single iteration is
//!    split there.
//!
//! [`loops::reductions::with_reductions`] marks what may run at one time on request only.
//!
//! In the finished tree panels may be packed ([`packing`]): parts of statements that are computed once per
//! tile, into contiguous local arrays.
//!
//! Before there is a schedule, scalars may be expanded ([`expansion`]), which afterwards need an element per
//! point of a tile; or become the elements that they end in ([`accumulators`]).
//!
//! A program with a loop over time may be put into tiles that compute values of their neighbours themselves
//! ([`overlapped`]).
//!
//! A band may be a function that calls itself for parts of time and space ([`cache_oblivious`]).
//!
//! [`scalability`] looks at tilings and changes nothing: whether they keep more processors busy when data
//! grow.
//!
//! # Marks
//! The result uses [`LoopMark`](loopwright_schedule::LoopMark)s directly above bands of one member,
//! so that in the AST they stand directly above the loop: `parallel` (the iterations may run at the
//! same time) and `vector` (an innermost loop with independent iterations), both given private
//! copies of the scalars that the mark names; and `pipelined` above bands of two members or more.
//!
//! # Legality
//! Bands are only permuted and tiled if they are permutable. A loop is marked only after an exact
//! test that no dependence is between different iterations ([`legality::independence`]). Whatever is decided
//! from sizes and strides concerns speed alone.

pub mod accumulators;
pub mod band;
pub mod cache_oblivious;
pub mod cost;
mod decision;
mod driver;
pub mod expansion;
pub mod legality;
pub mod loops;
pub mod overlapped;
pub mod packing;
mod report;
pub mod scalability;
pub mod settings;
pub mod site;
mod storage;
pub mod tile;
mod transformation;

pub use cost::estimate::Estimate;
pub use cost::nest::{Nest, NestAccess, NestStatement};
pub use decision::{Decision, JamKind, Threads};
pub use driver::{Optimised, estimate_as_written, optimise};
pub use report::{BandReport, Report};
pub use settings::{ConcurrentStart, Options, TileSizes, Tiling};
pub use transformation::{Applied, Subject, Transformation, apply_proved};
