//! The allocator of the programs here, which name this crate to have it: `use loopwright_allocator as _;`.
//!
//! Models are many small objects: on large pages, which the system's allocator does not ask for, the front
//! end takes half to two thirds of the time. A crate of its own, since every allocation goes through it, and
//! the crates of the programs are optimised less.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
