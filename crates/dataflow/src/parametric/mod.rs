//! Exact dataflow of programs whose control depends on data, with parameters where it has to be.
//!
//! Verdoolaege, Nikolov and Stefanov, "On demand parametric array dataflow analysis", IMPACT 2013. Only
//! `refutation.rs` knows about values; `candidates.rs` asks it what cannot be.

pub(crate) mod after;
pub(crate) mod analysis;
mod blocks;
mod candidates;
mod disjuncts;
mod elements;
pub(crate) mod fada;
pub(crate) mod flow;
mod refutation;
