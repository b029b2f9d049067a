//! The integration tests of this crate, as one program: a file is a subject.

mod counted_runs;
mod reports;
mod tiles;
