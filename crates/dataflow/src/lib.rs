//! Exact dependences of every kind.
//!
//! * [`Engine`]: which source accesses reach which sink accesses, given accesses that cut
//!   (overwrite or kill): the generic dataflow problem of "Scheduling for PPCG", section 3.
//! * [`Dependences`]: the relations that a scheduler and a verifier need, computed from a
//!   [`Scop`](loopwright_scop::Scop) by several runs of the engine: value-based flow, live-in and
//!   live-out accesses, and the order and forced dependences of live-range reordering.
//!
//! Every dependence knows its two references, so the tagged relations that conditional validity
//! needs are a matter of presentation ([`tagged`]).

mod dependences;
mod engine;
mod order;
mod privatize;
mod reference;

pub use dependences::{Dependences, LiveAccess};
pub use engine::{Dependence, Engine, Flow};
pub use order::ProgramOrder;
pub use privatize::privatizable_scalars;
pub use reference::{Reference, tagged, untagged};
