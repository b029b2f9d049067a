//! The integration tests of this crate, as one program: a file is a subject.

mod answers;
mod oracle;
mod sums_in_any_order;
