//! What `loopwright_astgen` generates, run and compared with the order of the schedule, instance by instance.
//!
//! These tests are here and not with the generator, since they need this crate's interpreter and proofs: the
//! generator does not depend on its judge, not even for tests.

mod atomic;
mod compiled;
mod guards;
mod kelly_pugh;
mod nested;
mod options;
mod quality;
mod random_strategies;
mod run_time_checks;
mod separation;
mod trace;
mod tree_nodes;
mod worked_examples;
mod worked_shapes;
