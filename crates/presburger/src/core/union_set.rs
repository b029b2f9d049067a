//! Unions of sets over several spaces.
//!
//! A union of sets is a union of relations without input; everything hands on to [`UnionMap`].
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{Name, Space};
use crate::core::union_map::UnionMap;

/// A finite union of sets in several spaces.
///
/// ```
/// # use loopwright_presburger::{Budget, UnionSet};
/// let statements = UnionSet::parse("[n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i, j < n }")?;
/// assert_eq!(statements.sets().len(), 2);
/// let one = UnionSet::parse("[n] -> { S[i] : 0 < i < n }")?;
/// let rest = statements.subtract(&one, &Budget::unlimited())?;
/// assert_eq!(
///     rest.to_string(),
///     "[n] -> { S[i = 0] : n > 0; T[i, j] : 0 <= i < n and 0 <= j < n }"
/// );
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct UnionSet(pub(crate) UnionMap);

impl UnionSet {
    /// Nothing, over no parameters.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// assert_eq!(UnionSet::empty().to_string(), "{  }");
    /// ```
    pub fn empty() -> Self {
        UnionSet(UnionMap::empty())
    }

    /// One set as a union.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, UnionSet};
    /// let set = Set::parse("{ S[i] : 0 <= i <= 9 }")?;
    /// assert_eq!(UnionSet::from_set(set).to_string(), "{ S[i] : 0 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_set(set: Set) -> Self {
        UnionSet(UnionMap::from_map(set.0))
    }

    /// The union of sets, at least over the parameters of `params`.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Space, UnionSet};
    /// let sets = [Set::parse("{ S[i] : i > 0 }")?, Set::parse("[n] -> { T[n] }")?];
    /// let union = UnionSet::from_sets(&Space::params(&["m".into()]), sets);
    /// assert_eq!(union.to_string(), "[m, n] -> { S[i] : i > 0; T[n] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_sets(params: &Space, sets: impl IntoIterator<Item = Set>) -> Self {
        UnionSet(UnionMap::from_maps(params, sets.into_iter().map(|set| set.0)))
    }

    /// The sets, one per tuple.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, UnionSet};
    /// let union = UnionSet::parse("{ S[0]; T[0]; S[5] }")?;
    /// let texts: Vec<String> = union.sets().iter().map(Set::to_string).collect();
    /// assert_eq!(texts, ["{ S[0]; S[5] }", "{ T[0] }"]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn sets(&self) -> Vec<Set> {
        self.0.maps.iter().cloned().map(Set).collect()
    }

    /// The set of a space, empty if there is none.
    ///
    /// ```
    /// # use loopwright_presburger::{Space, Tuple, UnionSet};
    /// let union = UnionSet::parse("{ S[i] : i > 0; T[i] }")?;
    /// let space = Space::set(&[], Tuple::named("S", 1));
    /// assert_eq!(union.extract(&space).to_string(), "{ S[i] : i > 0 }");
    /// assert!(union.extract(&Space::set(&[], Tuple::named("U", 1))).plain_is_empty());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn extract(&self, space: &Space) -> Set {
        Set(self.0.extract(space))
    }

    /// Whether there are no pieces at all.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// assert!(UnionSet::empty().plain_is_empty());
    /// // There is no such i, but that takes some thought.
    /// let union = UnionSet::parse("{ S[i] : i mod 2 = 1 and i mod 4 = 0 }")?;
    /// assert!(!union.plain_is_empty() && union.is_empty(&Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_empty(&self) -> bool {
        self.0.plain_is_empty()
    }

    /// The parameters.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let union = UnionSet::parse("[n, m] -> { S[n]; T[m] }")?;
    /// assert_eq!(union.param_names(), ["n".into(), "m".into()]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn param_names(&self) -> Vec<Name> {
        self.0.param_names()
    }

    /// The space of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let union = UnionSet::parse("[n, m] -> { S[n]; T[m] }")?;
    /// assert_eq!(union.params_space().to_string(), "[n, m] -> { : }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn params_space(&self) -> &Space {
        self.0.params_space()
    }

    /// Parameters aligned to those of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Space, UnionSet};
    /// let union = UnionSet::parse("[n] -> { S[n] }")?;
    /// let aligned = union.align_params(&Space::params(&["m".into(), "n".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { S[n] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        UnionSet(self.0.align_params(space))
    }

    /// The intersection.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let a = UnionSet::parse("{ S[i] : i >= 0; T[i] }")?;
    /// let b = UnionSet::parse("{ S[i] : i <= 9; U[i] }")?;
    /// assert_eq!(a.intersect(&b)?.to_string(), "{ S[i] : 0 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect(&self, other: &Self) -> Result<Self> {
        self.intersect_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionSet::intersect`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let a = UnionSet::parse("{ S[i] : i >= 0; T[i] }")?;
    /// let b = UnionSet::parse("{ S[i] : i <= 9; U[i] }")?;
    /// let both = a.intersect_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ S[i] : 0 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionSet::intersect`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.intersect_within(&other.0, budget)?))
    }

    /// The intersection with a set of parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, UnionSet};
    /// let union = UnionSet::parse("[n] -> { S[n]; T[i] : 0 <= i < n }")?;
    /// let large = Set::parse("[n] -> { : n >= 8 }")?;
    /// assert_eq!(
    ///     union.intersect_params(&large)?.to_string(),
    ///     "[n] -> { S[n] : n >= 8; T[i] : n >= 8 and 0 <= i < n }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if `params` is no parameter set,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect_params(&self, params: &Set) -> Result<Self> {
        self.intersect_params_within(params, &Budget::for_one_call())
    }

    /// The same as [`UnionSet::intersect_params`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set, UnionSet};
    /// let union = UnionSet::parse("[n] -> { S[i] : i < n; T[] }")?;
    /// let params = Set::parse("[n] -> { : n > 7 }")?;
    /// let part = union.intersect_params_within(&params, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "[n] -> { S[i] : n >= 8 and i < n; T[] : n >= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionSet::intersect_params`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_params_within(&self, params: &Set, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.intersect_params_within(params, budget)?))
    }

    /// The union (pieces may overlap).
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let a = UnionSet::parse("{ S[i] : i > 0 }")?;
    /// let b = UnionSet::parse("{ S[0]; T[] }")?;
    /// assert_eq!(a.union(&b)?.to_string(), "{ S[i] : i > 0; S[0]; T[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn union(&self, other: &Self) -> Result<Self> {
        Ok(UnionSet(self.0.union(&other.0)?))
    }

    /// The difference.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let a = UnionSet::parse("{ S[i] : 0 <= i <= 9; T[i] }")?;
    /// let b = UnionSet::parse("{ S[i] : i >= 5; U[i] }")?;
    /// assert_eq!(
    ///     a.subtract(&b, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] : 0 <= i <= 4; T[i] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.subtract(&other.0, budget)?))
    }

    /// Whether there is no integer point for any value of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let odd_and_even =
    ///     UnionSet::parse("{ S[i] : i mod 2 = 1 and i mod 4 = 0; T[i] : i < 0 < i }")?;
    /// assert!(odd_and_even.is_empty(&Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        self.0.is_empty(budget)
    }

    /// Whether every point is in `other`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let budget = &Budget::unlimited();
    /// let a = UnionSet::parse("{ S[4]; T[i] : i mod 4 = 0 }")?;
    /// let b = UnionSet::parse("{ S[i] : i > 0; T[i] : i mod 2 = 0; U[] }")?;
    /// assert!(a.is_subset(&b, budget)? && !b.is_subset(&a, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_subset(&other.0, budget)
    }

    /// Whether both have the same points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let a = UnionSet::parse("{ S[i] : 0 <= i <= 9; T[] }")?;
    /// let b = UnionSet::parse("{ T[]; S[i] : 0 <= i <= 4; S[i] : 5 <= i <= 9 }")?;
    /// assert!(a.is_equal(&b, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_equal(&other.0, budget)
    }

    /// Whether there is no common point.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let a = UnionSet::parse("{ S[i] : i mod 2 = 0; T[] }")?;
    /// let b = UnionSet::parse("{ S[i] : i mod 2 = 1; U[] }")?;
    /// assert!(a.is_disjoint(&b, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_disjoint(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_disjoint(&other.0, budget)
    }

    /// A cheaper description that equals `self` inside `context`.
    ///
    /// Spaces that `context` lacks are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i] : 0 <= i <= 9; T[i] : i = 3 }")?;
    /// let known = UnionSet::parse("{ S[i] : i >= 0 }")?;
    /// assert_eq!(union.gist(&known, &Budget::unlimited())?.to_string(), "{ S[i] : i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.gist(&context.0, budget)?))
    }

    /// The gist with respect to a set of parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set, UnionSet};
    /// let union = UnionSet::parse("[n] -> { S[i] : 0 <= i < n and n >= 3; T[] : n >= 1 }")?;
    /// let known = Set::parse("[n] -> { : n >= 3 }")?;
    /// let simpler = union.gist_params(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "[n] -> { S[i] : 0 <= i < n; T[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.gist_params(context, budget)?))
    }

    /// The same points in fewer basic pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i] : 0 <= i <= 4; S[i] : 5 <= i <= 9; T[0] }")?;
    /// let short = union.coalesce(&Budget::unlimited())?;
    /// assert_eq!(short.to_string(), "{ S[i] : 0 <= i <= 9; T[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.coalesce(budget)?))
    }

    /// The same points in pairwise disjoint pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i] : 0 <= i <= 6; S[i] : 4 <= i <= 9 }")?;
    /// let disjoint = union.make_disjoint(&Budget::unlimited())?;
    /// assert_eq!(disjoint.to_string(), "{ S[i] : 0 <= i <= 6 or 7 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.make_disjoint(budget)?))
    }

    /// The same points without unknown existentials: every local is an explicit floor.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i] : exists e: 3e <= i <= 3e + 1 }")?;
    /// assert_eq!(
    ///     union.make_locals_explicit(&Budget::unlimited())?.to_string(),
    ///     "{ S[i] : i <= 1 + 3*floor((i)/3) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn make_locals_explicit(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.make_locals_explicit(budget)?))
    }

    /// The same without constraints that follow from others.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i, j] : 0 <= i <= j and i + j >= 0 }")?;
    /// assert_eq!(
    ///     union.remove_redundancies(&Budget::unlimited())?.to_string(),
    ///     "{ S[i, j] : i >= 0 and j >= i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.remove_redundancies(budget)?))
    }

    /// The same with implicit equalities made explicit.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i, j] : i <= j and j <= i; T[i] : 2 <= 3i <= 5 }")?;
    /// assert_eq!(
    ///     union.detect_equalities(&Budget::unlimited())?.to_string(),
    ///     "{ S[i, j = i]; T[i = 1] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn detect_equalities(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.detect_equalities(budget)?))
    }

    /// The parameter values for which there is a point.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let union = UnionSet::parse("[n] -> { S[i] : 0 <= i < n; T[] : n = -5 }")?;
    /// assert_eq!(union.params().to_string(), "[n] -> { : n > 0 or n = -5 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn params(&self) -> Set {
        self.0.params()
    }

    /// The image under a relation.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i + 1]; T[] -> A[0] }")?;
    /// let instances = UnionSet::parse("{ S[i] : 0 <= i <= 9; U[] }")?;
    /// assert_eq!(instances.apply(&writes)?.to_string(), "{ A[i0] : 0 < i0 <= 10 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn apply(&self, map: &UnionMap) -> Result<Self> {
        self.apply_within(map, &Budget::for_one_call())
    }

    /// The same as [`UnionSet::apply`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let instances = UnionSet::parse("{ S[i] : 0 <= i <= 9; T[] }")?;
    /// let writes = UnionMap::parse("{ S[i] -> A[i]; T[] -> B[3] }")?;
    /// let written = instances.apply_within(&writes, &Budget::steps(10_000))?;
    /// assert_eq!(written.to_string(), "{ A[i0] : 0 <= i0 <= 9; B[3] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionSet::apply`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn apply_within(&self, map: &UnionMap, budget: &Budget) -> Result<Self> {
        Ok(map.intersect_domain_within(self, budget).during("apply")?.range())
    }

    /// The relations inside the sets of wrapped pairs; other sets are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let pairs = UnionSet::parse("{ [S[i] -> A[i]] : i > 0; T[] }")?;
    /// assert_eq!(pairs.unwrap()?.to_string(), "{ S[i] -> A[i] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn unwrap(&self) -> Result<UnionMap> {
        let sets = self.sets().into_iter();
        let relations = sets.filter_map(|set| set.unwrap().ok());
        Ok(UnionMap::collect(self.0.params.clone(), relations))
    }

    /// Whether every point is in `other`, which has further ones.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let budget = &Budget::unlimited();
    /// let union = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// let smaller = UnionSet::parse("{ T[] }")?;
    /// assert!(smaller.is_strict_subset(&union, budget)?);
    /// assert!(!union.is_strict_subset(&union, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_strict_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        self.0.is_strict_subset(&other.0, budget)
    }

    /// [x -> y] for x here and y in `other`.
    ///
    /// ```
    /// # use loopwright_presburger::UnionSet;
    /// let statements = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// let arrays = UnionSet::parse("{ A[0] }")?;
    /// assert_eq!(
    ///     statements.product(&arrays)?.to_string(),
    ///     "{ [S[i] -> A[0]] : i > 0; [T[] -> A[0]] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn product(&self, other: &Self) -> Result<Self> {
        self.product_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionSet::product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let a = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// let b = UnionSet::parse("{ A[x] : x > 0; B[] }")?;
    /// let pairs = a.product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(pairs.sets().len(), 4);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionSet::product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let pair = |a: &Map, b: &Map| {
            Set(a.clone()).product_within(&Set(b.clone()), budget).map(|set| set.0)
        };
        self.0.with_all(&other.0, |_, _| true, pair).map(UnionSet)
    }

    /// The smallest elements.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("{ S[i, j] : 0 <= i <= j and j >= 3; T[i] : i >= 7 }")?;
    /// assert_eq!(
    ///     union.lexmin(&Budget::unlimited())?.to_string(),
    ///     "{ S[i = 0, j = 3]; T[i = 7] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.lexmin(budget)?))
    }

    /// The greatest elements.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let union = UnionSet::parse("[n] -> { S[i, j] : 0 <= j <= i < n; T[i] : 2i <= n }")?;
    /// assert_eq!(
    ///     union.lexmax(&Budget::unlimited())?.to_string(),
    ///     "[n] -> { S[i = -1 + n, j = -1 + n] : n > 0; T[i] : -1 + n <= 2i <= n }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmax`].
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> {
        Ok(UnionSet(self.0.lexmax(budget)?))
    }
}

impl From<Set> for UnionSet {
    fn from(set: Set) -> Self {
        UnionSet::from_set(set)
    }
}
