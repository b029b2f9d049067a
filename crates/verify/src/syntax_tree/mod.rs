//! Proofs about syntax trees: what their loops execute ([`loops`]), in which order ([`ast`]), and on which
//! blocks and threads ([`axes`]); on numbers for some values of the parameters ([`samples`]).
pub(crate) mod ast;
pub(crate) mod axes;
pub(crate) mod execution;
pub(crate) mod expression;
pub(crate) mod loops;
mod matched_iterators;
mod order_of_calls;
mod plain_times;
pub(crate) mod samples;
pub(crate) mod tile_origins;
