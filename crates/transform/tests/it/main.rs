//! The integration tests of this crate, as one program: a file is a subject.

mod accumulators;
mod array_expansions;
mod concurrent_start;
mod expansion;
mod full_tiles;
mod kernels;
mod overlapped;
mod own_transformations;
mod panels;
mod scalability;
mod tilings;
