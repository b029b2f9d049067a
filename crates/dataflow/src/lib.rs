//! Exact dependences of every kind.
//!
//! * [`Engine`]: which source accesses reach which sink accesses, given accesses that cut
//!   (overwrite or kill): the generic dataflow problem of "Scheduling for PPCG", section 3.
//! * [`Dependences`]: the relations that a scheduler and a verifier need, computed from a
//!   [`Scop`](loopwright_scop::Scop) by several runs of the engine: value-based flow, live-in and
//!   live-out accesses, and the order and forced dependences of live-range reordering.
//! * [`AccessInformation`]: the same problem on access relations and a schedule that somebody else
//!   made, with the answers of isl's `isl_union_access_info_compute_flow`.
//!
//! Every dependence knows its two references, so the tagged relations that conditional validity
//! needs are a matter of presentation ([`tagged`]).

mod access_flow;
mod access_information;
mod access_order;
mod access_text;
mod copies;
mod dead_code;
mod dependences;
mod engine;
mod independent;
mod input;
mod order;
mod pair_forms;
mod privatize;
mod reassociation;
mod reduction;
mod reference;
mod sure_dependences;
mod tokens;
mod update;

pub use access_flow::AccessFlow;
pub use access_information::{AccessInformation, Schedule};
pub use copies::{CopySets, copy_sets};
pub use dead_code::{live_instances, without_dead_code, without_dead_statements};
pub use dependences::{Dependences, LiveAccess};
pub use engine::{Dependence, Engine, Flow};
pub use input::input_dependences;
pub use order::ProgramOrder;
pub use privatize::privatizable_variables;
pub use reassociation::{Reassociation, reassociated};
pub use reduction::{Reduction, ReductionOperator, common_operator, reductions};
pub use reference::{Reference, tagged, untagged};
