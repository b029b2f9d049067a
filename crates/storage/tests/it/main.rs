//! The integration tests of this crate, as one program: a file is a subject.

mod examples_of_the_paper;
mod random_programs;
mod scheduled_programs;
mod simulator;
