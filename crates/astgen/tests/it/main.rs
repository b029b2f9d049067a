//! The integration tests of this crate, as one program: a file is a subject.

mod atomic;
mod compiled;
mod expressions;
mod guards;
mod kelly_pugh;
mod nested;
mod options;
mod program;
mod quality;
mod random_strategies;
mod run_time_checks;
mod separation;
mod trace;
mod tree_nodes;
mod visitors;
mod worked_examples;
mod worked_shapes;
