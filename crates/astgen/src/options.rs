//! What can be chosen about the generated code.
use crate::Strategy;

/// The options of the generator; names and defaults are isl's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Compare an iterator with one expression (the minimum of the bounds) instead of a
    /// conjunction of comparisons. OpenMP needs it.
    pub atomic_upper_bound: bool,
    /// Leave out conditions that only hold back loops which would run zero times.
    pub exploit_nested_bounds: bool,
    /// Use `else`.
    pub allow_else: bool,
    /// The most pieces into which the values of one dimension are cut unless asked to separate.
    pub most_pieces: usize,
    /// How the values of the schedule dimensions are cut into loops.
    pub strategy: Strategy,
}

impl Options {
    /// isl's defaults.
    pub const STANDARD: Options = Options {
        atomic_upper_bound: true,
        exploit_nested_bounds: true,
        allow_else: true,
        most_pieces: 12,
        strategy: Strategy::Components,
    };
}
