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
//! 4. [`wavefront`]: tiles without a parallel loop are run in diagonals;
//! 5. [`parallel`]: the outermost loop that carries no dependence and has enough work per entry is
//!    marked.
//!
//! # Marks
//! The result uses two marks, both directly above a band of one member, so that in the AST
//! they stand directly above its loop: [`PARALLEL_MARK`] (the iterations may run at the same
//! time) and [`VECTOR_MARK`] (innermost, iterations independent). Both say that no dependence
//! between the marked loop's iterations exists other than through variables private to an iteration.
//!
//! # Legality
//! Bands are only permuted and tiled if they are permutable, and only coincident members (or those
//! that exact tests show to carry nothing, [`independence`]) are marked. Whatever is decided from
//! sizes and strides concerns speed alone.

pub mod distribute;
mod driver;
pub mod extent;
pub mod independence;
pub mod locality;
pub mod loop_order;
mod nest;
pub mod parallel;
pub mod profit;
mod report;
pub mod tile;
pub mod vectorize;
pub mod wavefront;

pub use driver::{Optimised, Options, TileSizes, optimise};
pub use nest::{Nest, NestStatement};
pub use report::{BandReport, Report};

/// Stands above the band of a loop whose iterations are to run in parallel.
pub const PARALLEL_MARK: &str = "parallel";

/// Stands above the band of an innermost loop whose iterations are independent.
pub const VECTOR_MARK: &str = "vector";
