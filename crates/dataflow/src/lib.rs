//! Exact dependences of every kind.
//!
//! * [`Engine`]: which source accesses reach which sink accesses, given accesses that cut
//!   (overwrite or kill): the generic dataflow problem of "Scheduling for PPCG", section 3.
//! * [`Dependences`]: the relations that a scheduler and a verifier need, computed from a
//!   [`Scop`](loopwright_scop::Scop) by several runs of the engine: value-based flow, live-in and
//!   live-out accesses, and the order and forced dependences of live-range reordering.
//! * [`AccessInformation`]: the same problem on access relations and a schedule that somebody else
//!   made, with the answers of isl's `isl_union_access_info_compute_flow`.
//! * [`ParametricFlow`]: the sources of reads in a [`FilteredScop`](loopwright_scop::FilteredScop), whose
//!   control depends on data, with parameters where it is not known what has run.
//!
//! Every dependence knows its two references, so the tagged relations that conditional validity
//! needs are a matter of presentation ([`tagged`]).

mod accesses;
mod dependences;
mod engine;
mod parametric;
mod reductions;
mod uses;

pub use accesses::access_flow::AccessFlow;
pub use accesses::access_information::AccessInformation;
pub use accesses::schedule::Schedule;
pub use dependences::possible::PossibleFlow;
pub use dependences::{Dependences, LiveAccess};
pub use engine::dependence::{Dependence, tagged, untagged};
pub use engine::order::ProgramOrder;
pub use engine::reference::Reference;
pub use engine::{Engine, Flow};
pub use parametric::after::with_reads_after;
pub use parametric::fada::FuzzySize;
pub use parametric::flow::{Disjunct, Origin, ParametricFlow, ReadFlow, SourceParameters};
pub use reductions::atomic::{atomic_updates, with_atomic_updates};
pub use reductions::exact::{
    ExactUpdates, without_order_of_exact_updates, wraps_around, writes_nothing_else,
};
pub use reductions::operator::ReductionOperator;
pub use reductions::reassociation::{Reassociation, reassociated, reassociated_totals};
pub use reductions::reduction::{Reduction, common_operator, reductions};
pub use uses::copies::{CopySets, copy_sets};
pub use uses::dead_code::{live_instances, without_dead_code, without_dead_statements};
pub use uses::input::input_dependences;
pub use uses::privatize::{last_values, privatizable_variables};
