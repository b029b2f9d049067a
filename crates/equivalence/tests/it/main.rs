//! The integration tests of this crate, as one program: a file is a subject.

mod answers;
mod oracle;
mod random_loops;
mod random_sums;
