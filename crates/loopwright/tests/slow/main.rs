//! The tests that take long: programs that are compiled, run and compared under many options.
//!
//! `cargo test` leaves them out; `cargo test --release --workspace --test slow` runs them, and `.ci/run`
//! does.

mod border_programs;
mod control_flow;
mod conversions;
mod data_constructs;
mod device_mutations;
mod device_random_programs;
#[path = "../it/support/directed.rs"]
mod directed;
mod directives;
mod dynamic_control;
mod equivalence;
mod expansion;
mod induction;
mod interchange;
mod kernels;
mod mutations;
mod overlapping_memory;
mod own_programs_on_devices;
mod programs;
#[path = "../it/project.rs"]
mod project;
mod random_programs;
mod register_tiles;
mod regressions;
#[path = "../it/support/mod.rs"]
mod support;
mod tilings;
mod time_space;
mod transform;
mod tune;
#[path = "../it/support/verified_directives.rs"]
mod verified_directives;
