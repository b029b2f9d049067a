//! The integration tests of this crate, as one program: a file is a subject.

mod support;

mod errata;
mod examples;
mod legality;
mod perfect_nests;
mod random_legality;
mod random_statements;
mod ranks;
mod robustness;
