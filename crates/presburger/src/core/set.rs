//! Sets: finite unions of basic sets in one space.
//!
//! A set is a relation without input; nearly everything here hands on to [`Map`].
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::space::{DimKind, Space};
use loopwright_exact::Int;

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
#[derive(Clone, Debug)]
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
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the tuples differ, [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
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

    /// The intersection with a set of parameters.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("[n] -> { S[i] : i < n }")?;
    /// let large = Set::parse("[n] -> { : n >= 8 }")?;
    /// assert_eq!(set.intersect_params(&large)?.to_string(), "[n] -> { S[i] : n >= 8 and i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if `params` is no parameter set,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> {
        self.intersect_params_within(params, &Budget::for_one_call())
    }

    /// The same as [`Set::intersect_params`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { [i] : 0 <= i < n }")?;
    /// let params = Set::parse("[n] -> { : n > 7 }")?;
    /// let part = set.intersect_params_within(&params, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "[n] -> { [i] : n >= 8 and 0 <= i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::intersect_params`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_params_within(&self, params: &Set, budget: &Budget) -> Result<Self> {
        Ok(Set(self.0.intersect_params_within(params, budget)?))
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

    /// Whether there is no integer point for any value of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// assert!(Set::parse("{ [i, j] : 1 <= 2i + 4j <= 1 }")?.is_empty(budget)?);
    /// assert!(!Set::parse("[n] -> { [i] : 0 <= i < n }")?.is_empty(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        self.0.is_empty(budget)
    }

    /// The parameter values for which there is a point.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("[n] -> { [i] : 0 <= 3i < n }")?;
    /// assert_eq!(set.params().to_string(), "[n] -> { : n > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn params(&self) -> Set {
        self.0.params()
    }

    /// Projects out `count` dimensions of `kind` from `first` on: exact; what cannot be
    /// eliminated becomes a local. A tuple that loses dimensions becomes anonymous.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let set = Set::parse("{ S[i, j] : 0 <= i <= j <= 9 and i mod 2 = 0 }")?;
    /// assert_eq!(set.project_out(DimKind::Out, 0, 1).to_string(), "{ [j] : 0 <= j <= 9 }");
    /// assert_eq!(
    ///     set.project_out(DimKind::Out, 1, 1).to_string(),
    ///     "{ [i] : (i) mod 2 = 0 and 0 <= i <= 9 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn project_out(&self, kind: DimKind, first: usize, count: usize) -> Self {
        Set(self.0.project_out(kind, first, count))
    }

    /// Makes the dimensions unconstrained without removing them: exact.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let set = Set::parse("{ S[i, j] : 0 <= i <= j <= 9 }")?;
    /// assert_eq!(set.eliminate(DimKind::Out, 0, 1).to_string(), "{ S[i, j] : 0 <= j <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn eliminate(&self, kind: DimKind, first: usize, count: usize) -> Self {
        Set(self.0.eliminate(kind, first, count))
    }

    /// Inserts unconstrained dimensions before `position`; the tuple becomes anonymous.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let set = Set::parse("{ S[i, j] : i < j }")?;
    /// assert_eq!(set.insert_dims(DimKind::Out, 1, 1).to_string(), "{ [i, i1, j] : j > i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If `position` is beyond the last dimension.
    pub fn insert_dims(&self, kind: DimKind, position: usize, count: usize) -> Self {
        Set(self.0.insert_dims(kind, position, count))
    }

    /// Moves dimensions between parameters and set; they keep their names.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let set = Set::parse("[n] -> { S[i, j] : i < j < n }")?;
    /// let moved = set.move_dims(DimKind::Param, 1, DimKind::Out, 0, 1);
    /// assert_eq!(moved.to_string(), "[n, i] -> { [j] : i < j < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions, or if both kinds are the same.
    pub fn move_dims(
        &self,
        dst: DimKind,
        dst_position: usize,
        src: DimKind,
        src_position: usize,
        count: usize,
    ) -> Self {
        Set(self.0.move_dims(dst, dst_position, src, src_position, count))
    }

    /// Restricts a dimension to a value.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Set};
    /// let set = Set::parse("{ S[i, j] : 0 <= i <= j }")?;
    /// assert_eq!(
    ///     set.fix(DimKind::Out, 1, &Int::from(5)).to_string(),
    ///     "{ S[i, j = 5] : 0 <= i <= 5 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn fix(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        Set(self.0.fix(kind, position, value))
    }

    /// Restricts a dimension to at least a value.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Set};
    /// let set = Set::parse("{ S[i] : i <= 9 }")?;
    /// let bounded = set.lower_bound(DimKind::Out, 0, &Int::from(3));
    /// assert_eq!(bounded.to_string(), "{ S[i] : 3 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn lower_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        Set(self.0.lower_bound(kind, position, value))
    }

    /// Restricts a dimension to at most a value.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Set};
    /// let set = Set::parse("[n] -> { S[i] : 0 <= i <= n }")?;
    /// let bounded = set.upper_bound(DimKind::Param, 0, &Int::from(100));
    /// assert_eq!(bounded.to_string(), "[n] -> { S[i] : n <= 100 and 0 <= i <= n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn upper_bound(&self, kind: DimKind, position: usize, value: &Int) -> Self {
        Set(self.0.upper_bound(kind, position, value))
    }

    /// Restricts two dimensions to equal values.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let set = Set::parse("[n] -> { S[i, j] : 0 <= i <= j }")?;
    /// assert_eq!(
    ///     set.equate(DimKind::Out, 1, DimKind::Param, 0).to_string(),
    ///     "[n] -> { S[i, j = n] : 0 <= i <= n }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn equate(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Self {
        Set(self.0.equate(kind_a, a, kind_b, b))
    }

    /// The constant value of a dimension, if it is obviously fixed.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Int, Set};
    /// let set = Set::parse("{ S[i, j] : i = 3 and j > 0 }")?;
    /// assert_eq!(set.plain_get_val_if_fixed(DimKind::Out, 0), Some(Int::from(3)));
    /// assert_eq!(set.plain_get_val_if_fixed(DimKind::Out, 1), None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn plain_get_val_if_fixed(&self, kind: DimKind, position: usize) -> Option<Int> {
        self.0.plain_get_val_if_fixed(kind, position)
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

    /// Drops every constraint that involves the dimensions (over-approximation).
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let set = Set::parse("{ S[i, j] : 0 <= i <= 9 and i < j }")?;
    /// let outer = set.drop_constraints_involving_dims(DimKind::Out, 1, 1);
    /// assert_eq!(outer.to_string(), "{ S[i, j] : 0 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn drop_constraints_involving_dims(
        &self,
        kind: DimKind,
        first: usize,
        count: usize,
    ) -> Self {
        Set(self.0.drop_constraints_involving_dims(kind, first, count))
    }

    /// Whether a constraint (or a floor used) involves the dimensions.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let set = Set::parse("[n] -> { S[i, j] : 0 <= i <= 9 }")?;
    /// assert!(set.involves_dims(DimKind::Out, 0, 1));
    /// assert!(!set.involves_dims(DimKind::Out, 1, 1) && !set.involves_dims(DimKind::Param, 0, 1));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        self.0.involves_dims(kind, first, count)
    }

    /// An over-approximation without any locals (Fourier-Motzkin with integer tightening).
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let even = Set::parse("{ S[i] : 0 <= i <= 9 and i mod 2 = 0 }")?;
    /// assert_eq!(even.remove_locals().to_string(), "{ S[i] : 0 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn remove_locals(&self) -> Self {
        Set(self.0.remove_locals())
    }

    /// An over-approximation without unknown existentials.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("{ S[i] : i mod 2 = 0 and exists e: 2e <= 3i <= 5e }")?;
    /// assert_eq!(set.remove_unknown_locals().to_string(), "{ S[i] : (i) mod 2 = 0 and i >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn remove_unknown_locals(&self) -> Self {
        Set(self.0.remove_unknown_locals())
    }

    /// An over-approximation without floors that involve the given dimensions.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Set};
    /// let set = Set::parse("{ S[i, j] : i mod 2 = 0 and j mod 3 = 0 }")?;
    /// assert_eq!(
    ///     set.remove_locals_involving_dims(DimKind::Out, 0, 1).to_string(),
    ///     "{ S[i, j] : (j) mod 3 = 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn remove_locals_involving_dims(&self, kind: DimKind, first: usize, count: usize) -> Self {
        Set(self.0.remove_locals_involving_dims(kind, first, count))
    }

    /// The same without constraints that follow from others.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("{ [i, j] : 0 <= i <= 9 and i <= j and j >= -5 }")?;
    /// assert_eq!(
    ///     set.remove_redundancies(&Budget::unlimited())?.to_string(),
    ///     "{ [i, j] : 0 <= i <= 9 and j >= i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<Self> {
        Ok(Set(self.0.remove_redundancies(budget)?))
    }

    /// The same with implicit equalities made explicit.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("{ [i, j, k] : i <= j <= k <= i }")?;
    /// let explicit = set.detect_equalities(&Budget::unlimited())?;
    /// assert_eq!(explicit.to_string(), "{ [i, j = i, k = i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn detect_equalities(&self, budget: &Budget) -> Result<Self> {
        Ok(Set(self.0.detect_equalities(budget)?))
    }

    /// Some integer point: values of parameters, then dimensions; none if empty.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Set};
    /// let budget = &Budget::unlimited();
    /// let set = Set::parse("[n] -> { [i] : n = 7 and 3i = n + 2 }")?;
    /// assert_eq!(set.sample_point(budget)?, Some(vec![Int::from(7), Int::from(3)]));
    /// assert_eq!(Set::parse("{ [i] : 2i = 3 }")?.sample_point(budget)?, None);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn sample_point(&self, budget: &Budget) -> Result<Option<Vec<Int>>> {
        self.0.sample_point(budget)
    }
}

impl From<BasicSet> for Set {
    fn from(basic: BasicSet) -> Self {
        Set::from_basic_set(basic)
    }
}
