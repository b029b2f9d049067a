//! The integration tests of this crate, as one program: a file is a subject.

mod edits;
