//! The strategies of code generation: how the values of a schedule dimension are cut into loops.
//!
//! All strategies share the descent through the schedule, the detection of strides and of single
//! values, the placing of conditions, and the printing of expressions. They differ in one decision:
//! which statements share a loop over a dimension, and over which ranges of its values.

/// A strategy of code generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Groups of statements that have to share a loop, and as few loops as the types of the loops
    /// ask for: Grosser, Verdoolaege, Cohen, TOPLAS 2015. The default.
    #[default]
    Components,
    /// Disjoint pieces in each of which the same statements are executed throughout: Quilleré,
    /// Rajopadhye, Wilde, "Generation of efficient nested loops from polyhedra", IJPP 2000.
    Separation(Separation),
    /// One loop over the hull, split where a constraint of a statement is not one of the hull:
    /// Kelly, Pugh, "A framework for unifying reordering transformations", 1993.
    KellyPugh(LevelRange),
    /// One loop per dimension, with conditions inside: what others are compared with.
    Baseline(Baseline),
}

/// Which loop [`Strategy::Baseline`] generates over a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Baseline {
    /// Over the bounding box, whose bounds do not depend on outer loops, as LooPo did. Dimensions that have
    /// one value for given outer ones get no loop.
    BoundingBox,
    /// Over the hull of all statements, as Omega did.
    Hull,
}

/// The schedule dimensions (counted from 0, the outermost) at which loops are cut apart. All other
/// dimensions get one loop over a superset, with conditions inside.
///
/// Conditions cost more the deeper they are, so a range without the outer dimensions trades little
/// time for much code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LevelRange {
    /// The first dimension.
    pub from: usize,
    /// The first dimension after the range.
    pub to: usize,
}

impl Strategy {
    /// The first dimension whose loops are parallel because the strategy says so.
    pub(crate) fn first_parallel_level(&self) -> Option<usize> {
        match self {
            Strategy::Separation(choices) => choices.sequential_levels,
            _ => None,
        }
    }
}

impl LevelRange {
    /// All dimensions.
    pub const ALL: LevelRange = LevelRange { from: 0, to: usize::MAX };

    /// Whether `level` is in the range.
    pub fn contains(&self, level: usize) -> bool {
        (self.from..self.to).contains(&level)
    }
}

/// The choices of [`Strategy::Separation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Separation {
    /// Where loops are separated.
    pub levels: LevelRange,
    /// Whether loops are split further where a loop inside would be empty for a part of their
    /// values: the second separation, which removes dead loops and costs code size.
    pub remove_dead_loops: bool,
    /// The number of outer dimensions that are executed sequentially; below, each statement gets a
    /// nest of its own whose outermost loop is marked `parallel`.
    ///
    /// It is the caller's claim that these dimensions carry all dependences.
    pub sequential_levels: Option<usize>,
    /// How many evaluations of conditions, counted for a typical size, one copy of a statement has to
    /// save; loops whose separation saves less get conditions instead. None separates everywhere.
    pub copy_cost: Option<u64>,
}

impl Separation {
    /// Separation at all dimensions, once.
    pub const STANDARD: Separation = Separation {
        levels: LevelRange::ALL,
        remove_dead_loops: false,
        sequential_levels: None,
        copy_cost: None,
    };
}

/// [`LevelRange::ALL`].
impl Default for LevelRange {
    fn default() -> Self {
        LevelRange::ALL
    }
}

/// [`Separation::STANDARD`].
impl Default for Separation {
    fn default() -> Self {
        Separation::STANDARD
    }
}
