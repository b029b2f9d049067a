//! The integration tests of this crate, as one program: a file is a subject.

mod access_flow;
mod many_statements;
mod oracle;
mod parametric;
mod reassociation;
mod reductions;
mod several_elements;
mod wrong_models;
