//! Families of execution orders.
//!
//! A storage mapping is safe for every order of a family, its *universe*: all that respect the dependences,
//! all tilings of permutable loops, the lexicographic order, sequential loops around tiled ones, or one
//! tiling. All that a mapping has to know of a universe is which of two instances is never the later one
//! (Yuki and Rajopadhye, IMPACT 2013, section 4: dependences and dummy dependences).
use loopwright_exact::{Int, Row};
use loopwright_presburger::{BasicSet, Budget, Constraint, Map, Result, Set, Space, Tuple};

/// A family of orders of the points of a space.
pub trait Universe {
    /// Whether in every order of the family, and for every point `z`, `z + from` runs no later than `z + to`.
    ///
    /// Both have the same number of components, which may be fewer than the space has dimensions: then it is
    /// about what is outside of the other loops.
    ///
    /// # Errors
    /// If the budget runs out.
    fn never_later(&self, from: &[Int], to: &[Int], budget: &Budget) -> Result<bool>;
}

/// How the loops of a [`Run`] run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunKind {
    /// Permutable: in tiles of any size, in any order of tiles in which no tile runs before one that is less
    /// or equal in each coordinate; points of a tile in lexicographic order.
    Tilable,
    /// In lexicographic order.
    Sequential,
}

/// Neighbouring loops that run in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// How.
    pub kind: RunKind,
    /// Their number.
    pub n_dims: usize,
}

/// Runs of loops, one inside of the other: the tiled and sequential spaces of the paper and their mixtures
/// (corollaries 1 and 2).
///
/// ```
/// use loopwright_presburger::{Budget, Int};
/// use loopwright_storage::{Bands, Universe};
/// let (near, far) = ([Int::ZERO, Int::ONE], [Int::ONE, Int::ZERO]);
/// let budget = Budget::unlimited();
/// assert!(Bands::sequential(2).never_later(&near, &far, &budget)?);
/// assert!(!Bands::tilable(2).never_later(&near, &far, &budget)?, "they may be in tiles side by side");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bands {
    /// The runs, outermost first.
    pub runs: Vec<Run>,
}

impl Bands {
    /// All loops are permutable.
    #[must_use]
    pub fn tilable(n_dims: usize) -> Self {
        Bands { runs: vec![Run { kind: RunKind::Tilable, n_dims }] }
    }

    /// All loops run in lexicographic order.
    #[must_use]
    pub fn sequential(n_dims: usize) -> Self {
        Bands { runs: vec![Run { kind: RunKind::Sequential, n_dims }] }
    }

    /// The number of loops.
    #[must_use]
    pub fn n_dims(&self) -> usize {
        self.runs.iter().map(|run| run.n_dims).sum()
    }
}

impl Universe for Bands {
    fn never_later(&self, from: &[Int], to: &[Int], _budget: &Budget) -> Result<bool> {
        let mut rest: Vec<Int> = difference(from, to);
        for run in &self.runs {
            let inner = rest.split_off(run.n_dims.min(rest.len()));
            let own = std::mem::replace(&mut rest, inner);
            let Some(first) = own.iter().find(|component| !component.is_zero()) else { continue };
            return Ok(match run.kind {
                RunKind::Tilable => own.iter().all(|component| !component.is_negative()),
                RunKind::Sequential => first.is_positive(),
            });
        }
        Ok(true)
    }
}

/// Every order that respects some dependences, loops or not: that of a full universal occupancy vector
/// (Strout, Carter, Ferrante and Simon, "Schedule-independent storage mapping for loops", 1998).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllSchedules {
    /// The distances of the dependences, from producers to consumers.
    pub dependences: Vec<Vec<Int>>,
}

impl Universe for AllSchedules {
    /// Whether the difference is a sum of dependences, each as often as wanted: an integer program.
    fn never_later(&self, from: &[Int], to: &[Int], budget: &Budget) -> Result<bool> {
        let target = difference(from, to);
        let sums = compositions(&self.dependences, &target, None)?;
        Ok(!sums.is_empty(budget)?)
    }
}

/// Tiles of given sizes, one after the other in lexicographic order, and so are the points of each: one order
/// but for where the tiles begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TilesInOrder {
    /// The number of points of a tile along each dimension, at least one.
    pub sizes: Vec<Int>,
}

impl Universe for TilesInOrder {
    /// Two points are `floor(d / size)` or `ceil(d / size)` tiles apart in each dimension, in all
    /// combinations.
    fn never_later(&self, from: &[Int], to: &[Int], _budget: &Budget) -> Result<bool> {
        let difference = difference(from, to);
        for (component, size) in difference.iter().zip(&self.sizes) {
            let least = component.div_floor(size);
            if !least.is_zero() {
                return Ok(least.is_positive());
            }
        }
        Ok(difference.iter().find(|c| !c.is_zero()).is_none_or(Int::is_positive))
    }
}

/// `to - from`.
fn difference(from: &[Int], to: &[Int]) -> Vec<Int> {
    to.iter().zip(from).map(|(to, from)| to - from).collect()
}

/// The numbers of times that each of `vectors` has to be taken so that they sum up to `target`; the one at
/// position `needed` at least once.
pub(crate) fn compositions(
    vectors: &[Vec<Int>],
    target: &[Int],
    needed: Option<usize>,
) -> Result<Set> {
    let n = vectors.len();
    let space = Space::set(&[], Tuple::anonymous(n));
    let row = |constant: Int, entries: Vec<Int>| {
        Row::from_ints(std::iter::once(constant).chain(entries).collect())
    };
    let sums = target.iter().enumerate().map(|(dimension, target)| {
        let entry = |vector: &Vec<Int>| vector.get(dimension).cloned().unwrap_or(Int::ZERO);
        Constraint::equality(row(-target, vectors.iter().map(entry).collect()))
    });
    let at_least = (0..n).map(|position| {
        let unit = (0..n).map(|other| if other == position { Int::ONE } else { Int::ZERO });
        let least = if Some(position) == needed { Int::MINUS_ONE } else { Int::ZERO };
        Constraint::inequality(row(least, unit.collect()))
    });
    let constraints: Vec<Constraint> = sums.chain(at_least).collect();
    let basic = BasicSet::try_from_constraints(space, Vec::new(), constraints)?;
    Ok(Set::from_map(Map::from_basic_map(basic.as_basic_map().clone())))
}
