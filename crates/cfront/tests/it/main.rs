//! The integration tests of this crate, as one program: a file is a subject.

mod annotations;
mod autodetect;
mod bodies;
mod calls;
mod common;
mod constructs;
mod deep_nesting;
mod diagnostics;
mod domains;
mod dynamic;
mod filters;
mod final_values;
mod folded_floors;
mod induction;
mod inlining;
mod linearised;
mod loaded;
mod messages;
mod multifor;
mod overlap;
mod refusals;
mod robustness;
mod structures;
mod used_after;
mod wandering;
mod ways_out;
