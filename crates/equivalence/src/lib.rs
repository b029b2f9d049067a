//! Equivalence of program parts: whether two of them compute the same values, for all values of the symbolic
//! constants.
//!
//! [`check`] answers a [`Question`] about two models: *equal*, with the induction that shows it; *different*,
//! with an element, the smallest symbolic constants, and the two histories that differ; or *undecided*, with
//! the cause. Order, loops, temporary variables and storage of the two programs may be anything; what is
//! compared are the values that flow into the results.
mod access_functions;
mod accumulation;
mod body;
mod buffers;
mod check;
mod commutation;
mod concrete;
mod conditions;
mod contributions;
mod correspondence;
mod counted_contributions;
mod executions;
mod extrema;
mod fit;
mod folding;
mod histories;
mod hypotheses;
mod implied;
mod laws;
mod loop_nest;
mod obligation;
mod past_updates;
mod program;
mod proof;
mod same_contributions;
mod spelling;
mod uninterpreted;
mod value;
mod widening;
mod wrapping;

pub use accumulation::only_combines;
pub use check::{Answer, EqualPlaces, Method, Proved, Question, Witness, check};
pub use laws::Laws;
pub use value::Extremum;
