//! The integration tests of this crate, as one program: a file is a subject.
//!
//! What the generated loops do when they run is tested with `loopwright_verify`, which has the interpreter:
//! `crates/verify/tests/it/generated_loops/`.

mod expressions;
mod program;
mod visitors;
