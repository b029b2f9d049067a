//! Sets: finite unions of basic sets in one space.
//!
//! A set is a relation without input; nearly everything here hands on to [`Map`].
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::space::{DimKind, Space};

/// A finite union of basic sets in one space (or of parameter sets).
///
/// ```
/// # use loopwright_presburger::{DimKind, Int, Set};
/// let triangle = Set::parse("[n] -> { S[i, j] : 0 <= j <= i < n }")?;
/// let column = triangle.fix(DimKind::Out, 1, &Int::from(3));
/// assert_eq!(column.to_string(), "[n] -> { S[i, j = 3] : 3 <= i < n }");
/// assert_eq!(column.params().to_string(), "[n] -> { : n >= 4 }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a new value is returned, operands do not change"]
pub struct Set(pub(crate) Map);

impl Set {
    /// All of `space`.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Space, Tuple};
    /// let space = Space::set(&[], Tuple::named("S", 1));
    /// assert_eq!(Set::universe(space).to_string(), "{ S[i0] }");
    /// ```
    pub fn universe(space: Space) -> Self {
        Set::from_map(Map::universe(space))
    }

    /// Nothing of `space`.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Space, Tuple};
    /// let space = Space::set(&[], Tuple::named("S", 1));
    /// assert_eq!(Set::empty(space).to_string(), "{ S[i0] : false }");
    /// ```
    pub fn empty(space: Space) -> Self {
        Set::from_map(Map::empty(space))
    }

    /// The same points as a set.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Set};
    /// let pairs = Map::parse("{ S[i] -> A[x] : x > i }")?;
    /// assert_eq!(
    ///     Set::from_map(pairs.wrap().as_map().clone()).to_string(),
    ///     "{ [S[i] -> A[x]] : x > i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the relation has an input.
    pub fn from_map(map: Map) -> Self {
        assert!(!map.space().is_map(), "a set has no input tuple");
        Set(map)
    }

    /// The same points as a relation without input.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("{ S[i] : i > 0 or i < -9 }")?;
    /// assert_eq!(set.as_map().basic_maps().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn as_map(&self) -> &Map {
        &self.0
    }

    /// The single piece as a union.
    ///
    /// ```
    /// # use loopwright_presburger::{BasicSet, Constraint, Row, Set, Space, Tuple};
    /// let space = Space::set(&[], Tuple::named("S", 1));
    /// // i - 3 >= 0, over [constant | i].
    /// let rows = vec![Constraint::inequality(Row::from_i64s(&[-3, 1]))];
    /// let set = Set::from_basic_set(BasicSet::from_constraints(space, vec![], rows));
    /// assert_eq!(set.to_string(), "{ S[i0] : i0 >= 3 }");
    /// ```
    pub fn from_basic_set(basic: BasicSet) -> Self {
        Set(Map::from_basic_map(basic.0))
    }

    /// The union of pieces in one space.
    ///
    /// The parameters of every piece are aligned to those of `space`.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Space, Tuple};
    /// let pieces = Set::parse("{ S[i] : i > 5 or i < 0 or i = 3 }")?.basic_sets();
    /// let two = Set::from_basic_sets(Space::set(&[], Tuple::named("S", 1)), pieces[..2].to_vec());
    /// assert_eq!(two.to_string(), "{ S[i0] : i0 >= 6 or i0 < 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_basic_sets(space: Space, basics: Vec<BasicSet>) -> Self {
        Set(Map::from_basic_maps(space, basics.into_iter().map(|basic| basic.0).collect()))
    }

    /// The pieces.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("{ [i] : i > 5 or i < 0 }")?;
    /// assert_eq!(set.basic_sets().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn basic_sets(&self) -> Vec<BasicSet> {
        self.0.basics.iter().cloned().map(BasicSet).collect()
    }

    /// The space.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("[n] -> { S[i, j] : 0 <= j <= i < n }")?;
    /// assert_eq!(set.space().to_string(), "[n] -> { S[i, j] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn space(&self) -> &Space {
        self.0.space()
    }

    /// Whether emptiness is obvious (cheap, one-sided).
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// assert!(Set::parse("{ [i] : i > 0 and i < 0 }")?.plain_is_empty());
    /// // Empty, but not obviously so.
    /// let set = Set::parse("{ [i] : i mod 2 = 1 and i mod 4 = 0 }")?;
    /// assert!(!set.plain_is_empty() && set.is_empty(&Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_empty(&self) -> bool {
        self.0.plain_is_empty()
    }

    /// Whether some piece obviously has no constraint.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// assert!(Set::parse("{ [i] }")?.plain_is_universe());
    /// assert!(!Set::parse("{ [i] : i > 0 }")?.plain_is_universe());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_universe(&self) -> bool {
        self.0.plain_is_universe()
    }

    /// The number of dimensions of a kind.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let set = Set::parse("[n, m] -> { S[i] : n <= i < m }")?;
    /// assert_eq!((set.n(DimKind::Param), set.n(DimKind::Out)), (2, 1));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn n(&self, kind: DimKind) -> usize {
        self.0.n(kind)
    }

    /// The number of set dimensions.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// assert_eq!(Set::parse("[n] -> { S[i, j] : i < n }")?.n_dims(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn n_dims(&self) -> usize {
        self.0.n(DimKind::Out)
    }

    /// The position of a parameter, or none.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("[n, m] -> { S[i] : n <= i < m }")?;
    /// assert_eq!((set.find_param("m"), set.find_param("k")), (Some(1), None));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn find_param(&self, name: &str) -> Option<usize> {
        self.0.find_param(name)
    }

    /// The intersection.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let a = Set::parse("[n] -> { S[i] : i < n }")?;
    /// let b = Set::parse("[m] -> { S[i] : m <= i }")?;
    /// assert_eq!(a.intersect(&b)?.to_string(), "[n, m] -> { S[i] : m <= i < n }");
    /// assert!(a.intersect(&Set::parse("{ T[i] }")?).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the tuples differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect(&self, other: &Self) -> Result<Self> {
        self.intersect_within(other, &Budget::for_one_call())
    }

    /// The same as [`Set::intersect`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let a = Set::parse("{ [i, j] : i > 5 or i < 0 }")?;
    /// let b = Set::parse("{ [i, j] : j > 5 or j < 0 }")?;
    /// let corners = a.intersect_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(corners.basic_sets().len(), 4);
    /// assert!(a.intersect_within(&b, &Budget::steps(1)).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::intersect`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        Ok(Set(self.0.intersect_within(&other.0, budget)?))
    }

    /// The union (pieces may overlap).
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let a = Set::parse("{ [i] : 0 <= i <= 5 }")?;
    /// let b = Set::parse("{ [i] : 4 <= i <= 9 }")?;
    /// assert_eq!(a.union(&b)?.to_string(), "{ [i] : 0 <= i <= 5 or 4 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the tuples differ.
    pub fn union(&self, other: &Self) -> Result<Self> {
        Ok(Set(self.0.union(&other.0)?))
    }

    /// Replaces the tuple name and structure (same number of dimensions).
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Space, Tuple};
    /// let set = Set::parse("{ S[i, j] : i < j }")?;
    /// let renamed = set.with_space_tuples(&Space::set(&[], Tuple::named("T", 2)))?;
    /// assert_eq!(renamed.to_string(), "{ T[i0, i1] : i1 > i0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the numbers of dimensions differ.
    pub fn with_space_tuples(&self, space: &Space) -> Result<Self> {
        Ok(Set(self.0.with_space_tuples(space)?))
    }
}

impl From<BasicSet> for Set {
    fn from(basic: BasicSet) -> Self {
        Set::from_basic_set(basic)
    }
}

impl Set {
    /// Parameters aligned to those of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Space};
    /// let set = Set::parse("[n] -> { S[i] : i < n }")?;
    /// let aligned = set.align_params(&Space::params(&["m".into(), "n".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { S[i] : i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        Set(self.0.align_params(space))
    }
}
