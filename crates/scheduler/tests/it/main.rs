//! The integration tests of this crate, as one program: a file is a subject.

mod grouping;
mod index_sets;
mod limits;
mod numbered_examples;
mod option_effects;
mod options;
mod published_schedules;
mod random_constraints;
mod self_pairs;
mod support;
mod worked_examples;
