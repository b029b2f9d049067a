//! The integration tests of this crate, as one program: a file is a subject.

mod integers;
mod rows_and_matrices;
mod values;
