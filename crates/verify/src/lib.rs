//! Independent proofs: schedules against dependences, syntax trees against schedules.
//!
//! Nothing here takes part in choosing a schedule or generating code, and nothing here trusts the
//! flags that those stages set. Some questions are answered, each exactly and within a budget:
//!
//! * [`check_schedule`]: does a schedule tree respect every dependence (live ranges may move as
//!   long as they do not overlap)?
//! * [`with_true_flags`]: does a schedule tree respect schedule constraints, and which of its bands are
//!   permutable, which members coincident?
//! * [`check_parallel_loops`]: do the loops marked parallel carry no dependence, up to private
//!   variables?
//! * [`check_panels`]: do panels hold the values that they stand for? (And [`check_divisions`]: is each
//!   instance one of a single statement, where some read panels and others do not?)
//! * [`check_kernels`]: do all statements run in kernels of a device? (And [`check_barriers`]: are blocks
//!   independent, and threads ordered by barriers?)
//! * [`check_transfers`]: does what is copied to a device and back suffice?
//! * [`check_cached_tiles`]: do tiles with boxes of arrays for themselves find and leave the values of the
//!   program?
//! * [`check_expansions`]: do expanded scalars have the values that they had?
//! * [`check_accumulators`]: and elements that take the place of scalars?
//! * [`check_recomputation`]: does a program in which instances run more than once compute what the program
//!   does?
//! * [`check_array_expansions`]: do copies of arrays have the values that the arrays had?
//! * [`check_contractions`]: do contracted arrays keep each value until its last use?
//! * [`runs_in_order_of`]: do two schedules run all instances in one order?
//! * [`check_ast`]: does a syntax tree execute each instance once and in schedule order? (And
//!   [`check_ast_on_samples`]: does it for some values of the parameters?)
//! * [`check_order_in_tiles`], [`check_tiles`]: do tiles of variable sizes keep the order, and run each
//!   instance once, for all sizes?
//! * [`check_cuts`], [`check_zoids`]: does a function that calls itself for parts of time and space execute a
//!   program in order?
//! * [`check_printed`]: does the printed text do what the syntax tree says?

mod order;
mod printed;
mod products;
mod storage;
mod syntax_tree;
mod verdict;

pub use order::atomics::check_atomic_updates;
pub use order::barriers::check_barriers;
pub use order::constraints::with_true_flags;
pub use order::kernels::check_kernels;
pub use order::matrices::{MatrixRules, check_matrix_products};
pub use order::parallel::check_parallel_loops;
pub use order::program_order::runs_in_order_of;
pub use order::schedule::check_schedule;
pub use order::tile_origins::check_order_in_tiles;
pub use order::zoids::{RecursiveProgram, check_cuts, check_zoids};
pub use printed::{
    DeviceText, KernelLanguage, NotRead, Printed, UnreadPart, check_printed, check_printed_device,
};
pub use storage::accumulators::{ProgramWithoutAccumulators, check_accumulators};
pub use storage::array_expansion::{ProgramWithCopies, check_array_expansions};
pub use storage::contraction::{ContractedProgram, check_contractions};
pub use storage::divisions::{check_divisions, divided_program, with_divisions};
pub use storage::expansion::{ExpandedProgram, check_expansions};
pub use storage::panels::{check_panels, with_panel_dependences};
pub use storage::partial_results::{ProgramWithPartialResults, check_partial_results};
pub use storage::prefixes::{ProgramWithScans, check_scans};
pub use storage::promotion::cached_tiles::check_cached_tiles;
pub use storage::promotion::{PromotedProgram, check_promotion};
pub use storage::recomputation::{RecomputingProgram, check_recomputation};
pub use storage::transfers::{check_memory, check_transfers};
pub use syntax_tree::ast::{check_ast, check_ast_of_map, check_loops};
pub use syntax_tree::axes::check_axes;
pub use syntax_tree::execution::{Instance, Stopped, Values, execute};
pub use syntax_tree::loops::Loops;
pub use syntax_tree::samples::{SampleLimits, Samples, check_ast_on_samples};
pub use syntax_tree::tile_origins::check_tiles;
pub use verdict::{Proof, Violation};
