//! Proofs about orders: of a schedule against the dependences, of parallel loops, of two schedules against
//! each other.
mod asynchronous;
pub(crate) mod atomics;
pub(crate) mod barriers;
mod between;
mod blocks_and_threads;
pub(crate) mod constraints;
pub(crate) mod kernels;
pub(crate) mod matrices;
pub(crate) mod parallel;
mod parts;
pub(crate) mod program_order;
pub(crate) mod schedule;
mod searches;
mod shuffles;
pub(crate) mod tile_origins;
pub(crate) mod zoids;
