//! Developing habits as commands.
fn main() {}
