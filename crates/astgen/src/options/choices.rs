//! What can be chosen about the generated code.
use crate::options::strategy::Strategy;

/// The options of the generator; names and defaults are isl's. `docs/codegen.md` has the table.
///
/// ```
/// use loopwright_astgen::{Options, generate_from_map};
/// use loopwright_presburger::{Budget, Set, UnionMap};
/// let schedule = UnionMap::parse("[n, m] -> { S[i] -> [i] : 0 <= i < n and i < m }")?;
/// let (context, none) = (Set::parse("{ : }")?, UnionMap::empty());
/// let options = Options { atomic_upper_bound: false, ..Options::STANDARD };
/// let budget = Budget::steps(1_000_000);
/// let ast = generate_from_map(&schedule, &context, &none, &options, &budget)?;
/// let expected = "\
/// for (int c0 = 0; c0 < m && c0 < n; c0 += 1)
///   S(c0);
/// ";
/// assert_eq!(ast.to_string(), expected);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Compare an iterator with one expression (the minimum of the bounds) instead of a
    /// conjunction of comparisons. OpenMP needs it.
    pub atomic_upper_bound: bool,
    /// Print a floor as C's division, and what is left of it as C's remainder, where the dividend is
    /// known not to be negative. Otherwise all floors are calls of `floord`.
    pub prefer_pdiv: bool,
    /// Leave out conditions that only hold back loops which would run zero times.
    pub exploit_nested_bounds: bool,
    /// Where loops of type `separate` are cut apart.
    pub separation_bounds: SeparationBounds,
    /// Let iterators count multiples of a constant factor of the schedule one by one.
    pub scale_strides: bool,
    /// Use `else`.
    pub allow_else: bool,
    /// Use disjunctions in conditions of `if`; otherwise code is repeated for each alternative.
    pub allow_or: bool,
    /// Keep instances of different statements at the same point of the schedule together: one leaf,
    /// one set of loops around them.
    pub group_coscheduled: bool,
    /// Print a piecewise form that is the minimum or maximum of its pieces as such.
    pub detect_min_max: bool,
    /// Split loops so that no bound is a minimum or maximum, which costs code size.
    pub single_bounds: bool,
    /// The most pieces into which the values of one dimension are cut unless asked to separate.
    pub most_pieces: usize,
    /// Let a loop of type `atomic` have a bound that conditions choose, where there is no other; without them
    /// it becomes as few loops as possible.
    pub conditional_bounds: bool,
    /// How the values of the schedule dimensions are cut into loops.
    pub strategy: Strategy,
}

/// Where loops of type `separate` are cut apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SeparationBounds {
    /// At the bounds that the statements state about the dimension.
    #[default]
    Explicit,
    /// Also at bounds that follow from the existence of values of inner dimensions.
    Implicit,
}

impl Options {
    /// isl's defaults.
    pub const STANDARD: Options = Options {
        atomic_upper_bound: true,
        prefer_pdiv: true,
        exploit_nested_bounds: true,
        separation_bounds: SeparationBounds::Explicit,
        scale_strides: true,
        allow_else: true,
        allow_or: true,
        group_coscheduled: false,
        detect_min_max: false,
        single_bounds: false,
        most_pieces: 12,
        conditional_bounds: true,
        strategy: Strategy::Components,
    };
}

/// [`Options::STANDARD`].
impl Default for Options {
    fn default() -> Self {
        Options::STANDARD
    }
}
