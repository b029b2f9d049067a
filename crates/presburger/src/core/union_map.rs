//! Unions of relations over several spaces.
//!
//! A union holds one [`Map`] per pair of tuples, ordered by the tuples. Its operations distribute:
//! each takes the relations whose tuples fit and collects the results.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Name, Space, Tuple};
use crate::core::union_set::UnionSet;

/// A finite union of relations in several spaces, in a fixed order of the spaces.
///
/// All maps have the same parameters in the same order, no two the same tuples, and none is
/// known to be empty.
///
/// ```
/// # use loopwright_presburger::{UnionMap, UnionSet};
/// let schedule = UnionMap::parse("[n] -> { S[i] -> [0, i] : 0 <= i < n; T[i] -> [1, i] }")?;
/// assert_eq!(schedule.maps().len(), 2);
/// let order = UnionMap::parse("{ [a, b] -> [c, d] : a, b << c, d }")?;
/// // Whatever runs after S[3].
/// let later = schedule.apply_range(&order)?.apply_range(&schedule.reverse())?;
/// let after = UnionSet::parse("{ S[3] }")?.apply(&later)?;
/// assert_eq!(after.to_string(), "[n] -> { S[i] : n >= 4 and 4 <= i < n; T[i] : n >= 4 }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct UnionMap {
    pub(crate) params: Space,
    pub(crate) maps: Vec<Map>,
}

impl UnionMap {
    /// Nothing, over no parameters.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// assert!(UnionMap::empty().plain_is_empty());
    /// assert_eq!(UnionMap::empty().to_string(), "{  }");
    /// ```
    pub fn empty() -> Self {
        UnionMap { params: Space::params(&[]), maps: Vec::new() }
    }

    /// One relation as a union.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, UnionMap};
    /// let map = Map::parse("{ S[i] -> A[i + 1] }")?;
    /// assert_eq!(UnionMap::from_map(map).to_string(), "{ S[i] -> A[1 + i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_map(map: Map) -> Self {
        UnionMap::collect(map.space().to_params(), [map])
    }

    /// The union of relations, at least over the parameters of `params`.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Space, UnionMap};
    /// let maps = [Map::parse("{ S[i] -> A[i] }")?, Map::parse("[n] -> { T[] -> A[n] }")?];
    /// let union = UnionMap::from_maps(&Space::params(&["m".into()]), maps);
    /// assert_eq!(union.to_string(), "[m, n] -> { S[i] -> A[i]; T[] -> A[n] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn from_maps(params: &Space, maps: impl IntoIterator<Item = Map>) -> Self {
        UnionMap::collect(params.to_params(), maps)
    }

    /// Aligns, orders and merges.
    pub(crate) fn collect(params: Space, maps: impl IntoIterator<Item = Map>) -> Self {
        let maps: Vec<Map> = maps.into_iter().filter(|map| !map.plain_is_empty()).collect();
        let is_aligned = maps.iter().all(|map| map.space.has_equal_params(&params));
        let is_less = |pair: &[Map]| pair[0].space.compare_tuples(&pair[1].space).is_lt();
        if is_aligned && maps.windows(2).all(is_less) {
            return UnionMap { params, maps };
        }
        let merged = |all: Space, map: &Map| match all.has_equal_params(&map.space) {
            true => all,
            false => all.merge_params(&map.space),
        };
        let params = maps.iter().fold(params, merged);
        let aligned = |map: Map| match map.space.has_equal_params(&params) {
            true => map,
            false => map.align_params(&params),
        };
        let mut sorted: Vec<Map> = maps.into_iter().map(aligned).collect();
        sorted.sort_by(|a, b| a.space.compare_tuples(&b.space));
        let mut merged: Vec<Map> = Vec::with_capacity(sorted.len());
        for map in sorted {
            match merged.last_mut().filter(|last| last.space.has_equal_tuples(&map.space)) {
                Some(last) => last.absorb(map),
                None => merged.push(map),
            }
        }
        UnionMap { params, maps: merged }
    }

    /// The results of a fallible operation on maps, collected.
    fn try_collect(params: &Space, maps: impl IntoIterator<Item = Result<Map>>) -> Result<Self> {
        let maps = maps.into_iter().collect::<Result<Vec<Map>>>()?;
        Ok(UnionMap::collect(params.clone(), maps))
    }

    /// Every relation changed in the same way.
    fn each(&self, change: impl FnMut(&Map) -> Map) -> Self {
        UnionMap::collect(self.params.clone(), self.maps.iter().map(change))
    }

    /// Every relation changed in the same way, if that succeeds for all.
    pub(crate) fn try_each(&self, change: impl FnMut(&Map) -> Result<Map>) -> Result<Self> {
        UnionMap::try_collect(&self.params, self.maps.iter().map(change))
    }

    /// The parameters of both.
    fn common_params(&self, other: &Self) -> Space {
        self.params.merge_params(&other.params)
    }

    /// The relation with the tuples of `space`.
    pub(crate) fn find(&self, space: &Space) -> Option<&Map> {
        let found = self.maps.binary_search_by(|map| map.space.compare_tuples(space));
        found.ok().map(|position| &self.maps[position])
    }

    /// Combines the relations with equal tuples; those without a partner are dropped.
    fn with_partners(
        &self,
        other: &Self,
        mut combine: impl FnMut(&Map, &Map) -> Result<Map>,
    ) -> Result<Self> {
        let pairs = self.maps.iter().filter_map(|map| Some((map, other.find(&map.space)?)));
        UnionMap::try_collect(&self.common_params(other), pairs.map(|(a, b)| combine(a, b)))
    }

    /// Combines all pairs of relations whose spaces fit.
    pub(crate) fn with_all(
        &self,
        other: &Self,
        fits: impl Fn(&Space, &Space) -> bool,
        mut combine: impl FnMut(&Map, &Map) -> Result<Map>,
    ) -> Result<Self> {
        let mut results = Vec::new();
        for a in &self.maps {
            for b in other.maps.iter().filter(|b| fits(&a.space, &b.space)) {
                results.push(combine(a, b)?);
            }
        }
        Ok(UnionMap::collect(self.common_params(other), results))
    }

    /// The relations that begin at a tuple: they stand side by side.
    fn with_input(&self, tuple: Option<&Tuple>) -> &[Map] {
        let first = self.maps.partition_point(|map| map.space.input() < tuple);
        let behind = self.maps[first..].partition_point(|map| map.space.input() == tuple);
        &self.maps[first..first + behind]
    }

    /// The relations between spaces at which relations of `other` begin.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let pairs = UnionMap::parse("{ S[i] -> T[i]; T[i] -> T[i + 1]; T[i] -> U[i] }")?;
    /// let times = UnionMap::parse("{ S[i] -> [0, i]; T[i] -> [1, i] }")?;
    /// assert_eq!(pairs.among_inputs_of(&times).to_string(), "{ S[i] -> T[i]; T[i] -> T[1 + i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* One search for each input of `other` and each relation that begins there.
    pub fn among_inputs_of(&self, other: &Self) -> Self {
        let mut found: Vec<Map> = Vec::new();
        let mut last = None;
        for tuple in other.maps.iter().map(|map| map.space.input()) {
            if last.replace(tuple) == Some(tuple) {
                continue;
            }
            let is_input = |map: &&Map| !other.with_input(map.space.output()).is_empty();
            found.extend(self.with_input(tuple).iter().filter(is_input).cloned());
        }
        UnionMap { params: self.params.clone(), maps: found }
    }

    /// Combines every relation with the set of its domain or range; drops those without one.
    fn with_sets(
        &self,
        set: &UnionSet,
        end: fn(&Space) -> Space,
        mut combine: impl FnMut(&Map, &Set) -> Result<Map>,
    ) -> Result<Self> {
        let pairs = self.maps.iter().filter_map(|map| Some((map, set.0.find(&end(&map.space))?)));
        let results = pairs.map(|(map, found)| combine(map, &Set(found.clone())));
        UnionMap::try_collect(&self.common_params(&set.0), results)
    }

    /// The relations, one per pair of tuples.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[i]; T[i] -> A[i]; S[i] -> A[i + 1] }")?;
    /// let texts: Vec<String> = union.maps().iter().map(Map::to_string).collect();
    /// assert_eq!(texts, ["{ S[i] -> A[i]; S[i] -> A[1 + i] }", "{ T[i] -> A[i] }"]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn maps(&self) -> &[Map] {
        &self.maps
    }

    /// The relation of a space, empty if there is none.
    ///
    /// ```
    /// # use loopwright_presburger::{Space, Tuple, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[i]; T[i] -> B[i] }")?;
    /// let space = Space::map(&[], Tuple::named("T", 1), Tuple::named("B", 1));
    /// assert_eq!(union.extract(&space).to_string(), "{ T[i] -> B[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn extract(&self, space: &Space) -> Map {
        self.find(space).cloned().unwrap_or_else(|| Map::empty(space.clone()))
    }

    /// Whether there are no pieces at all.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// assert!(UnionMap::parse("{ S[i] -> A[i] : false }")?.plain_is_empty());
    /// assert!(!UnionMap::parse("{ S[i] -> A[i] }")?.plain_is_empty());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn plain_is_empty(&self) -> bool {
        self.maps.is_empty()
    }

    /// The parameters.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("[n, m] -> { S[i] -> A[i + m] }")?;
    /// assert_eq!(union.param_names(), ["n".into(), "m".into()]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn param_names(&self) -> Vec<Name> {
        self.params.param_names().to_vec()
    }

    /// The space of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("[n, m] -> { S[i] -> A[i + m] }")?;
    /// assert_eq!(union.params_space().to_string(), "[n, m] -> { : }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn params_space(&self) -> &Space {
        &self.params
    }

    /// Parameters aligned to those of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Space, UnionMap};
    /// let union = UnionMap::parse("[n] -> { S[i] -> A[i + n] }")?;
    /// let aligned = union.align_params(&Space::params(&["m".into(), "n".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { S[i] -> A[n + i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        let params = space.to_params().merge_params(&self.params);
        let maps = self.maps.iter().map(|map| map.align_params(&params)).collect();
        UnionMap { params, maps }
    }

    /// The intersection.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let a = UnionMap::parse("{ S[i] -> A[x] : x >= i; T[] -> A[0] }")?;
    /// let b = UnionMap::parse("{ S[i] -> A[x] : x <= i; T[] -> B[0] }")?;
    /// assert_eq!(a.intersect(&b)?.to_string(), "{ S[i] -> A[x = i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect(&self, other: &Self) -> Result<Self> {
        self.intersect_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::intersect`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let a = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// let b = UnionMap::parse("{ S[i] -> A[x] : x > 0; U[] -> A[0] }")?;
    /// let both = a.intersect_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ S[i] -> A[i] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::intersect`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_partners(other, |a, b| a.intersect_within(b, budget))
    }

    /// The intersection with a set of parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, UnionMap};
    /// let union = UnionMap::parse("[n] -> { S[i] -> A[i + n]; T[] -> A[n] : n < 0 }")?;
    /// let positive = Set::parse("[n] -> { : n > 0 }")?;
    /// assert_eq!(
    ///     union.intersect_params(&positive)?.to_string(),
    ///     "[n] -> { S[i] -> A[n + i] : n > 0 }"
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

    /// The same as [`UnionMap::intersect_params`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set, UnionMap};
    /// let union = UnionMap::parse("[n] -> { S[i] -> A[i]; T[] -> A[n] }")?;
    /// let params = Set::parse("[n] -> { : n > 0 }")?;
    /// let part = union.intersect_params_within(&params, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "[n] -> { S[i] -> A[i] : n > 0; T[] -> A[n] : n > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::intersect_params`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_params_within(&self, params: &Set, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.intersect_params_within(params, budget))
    }

    /// The union (pieces may overlap).
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let a = UnionMap::parse("{ S[i] -> A[i] }")?;
    /// let b = UnionMap::parse("{ S[i] -> A[i + 1]; T[] -> A[0] }")?;
    /// assert_eq!(a.union(&b)?.to_string(), "{ S[i] -> A[i]; S[i] -> A[1 + i]; T[] -> A[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn union(&self, other: &Self) -> Result<Self> {
        let maps = self.maps.iter().chain(&other.maps).cloned();
        Ok(UnionMap::collect(self.common_params(other), maps))
    }

    /// The difference.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let a = UnionMap::parse("{ S[i] -> A[x] : 0 <= x <= i; T[] -> A[0] }")?;
    /// let b = UnionMap::parse("{ S[i] -> A[x] : x < i; U[] -> A[0] }")?;
    /// let rest = a.subtract(&b, &Budget::unlimited())?;
    /// assert_eq!(rest.to_string(), "{ S[i] -> A[x = i] : i >= 0; T[] -> A[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn subtract(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let left = self.maps.iter().map(|map| match other.find(&map.space) {
            Some(taken) => map.subtract(taken, budget),
            None => Ok(map.clone()),
        });
        UnionMap::try_collect(&self.common_params(other), left)
    }

    /// Whether there is no integer point for any value of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 2x = 4i + 1; T[i] -> A[i] : 1 <= 3i <= 2 }")?;
    /// assert!(union.is_empty(&Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_empty(&self, budget: &Budget) -> Result<bool> {
        all(&self.maps, |map| map.is_empty(budget))
    }

    /// Whether every point is in `other`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let budget = &Budget::unlimited();
    /// let written = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// let allowed = UnionMap::parse("{ S[i] -> A[x] : x >= i; T[] -> A[x]; T[] -> B[x] }")?;
    /// assert!(written.is_subset(&allowed, budget)? && !allowed.is_subset(&written, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        all(&self.maps, |map| match other.find(&map.space) {
            Some(greater) => map.is_subset(greater, budget),
            None => map.is_empty(budget),
        })
    }

    /// Whether both have the same points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let a = UnionMap::parse("{ S[i] -> A[x] : i <= x <= i; T[] -> A[0] }")?;
    /// let b = UnionMap::parse("{ T[] -> A[0]; S[i] -> A[i] }")?;
    /// assert!(a.is_equal(&b, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_equal(&self, other: &Self, budget: &Budget) -> Result<bool> {
        Ok(self.is_subset(other, budget)? && other.is_subset(self, budget)?)
    }

    /// Whether every point is in `other`, which has further ones.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let budget = &Budget::unlimited();
    /// let a = UnionMap::parse("{ S[i] -> A[i] }")?;
    /// let b = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// assert!(a.is_strict_subset(&b, budget)? && !b.is_strict_subset(&b, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_strict_subset(&self, other: &Self, budget: &Budget) -> Result<bool> {
        Ok(self.is_subset(other, budget)? && !other.is_subset(self, budget)?)
    }

    /// Whether there is no common point.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let even = UnionMap::parse("{ S[i] -> A[2i] }")?;
    /// let odd = UnionMap::parse("{ S[i] -> A[x] : x mod 2 = 1; T[] -> A[0] }")?;
    /// assert!(even.is_disjoint(&odd, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_disjoint(&self, other: &Self, budget: &Budget) -> Result<bool> {
        all(&self.maps, |map| match other.find(&map.space) {
            Some(partner) => map.is_disjoint(partner, budget),
            None => Ok(true),
        })
    }

    /// A cheaper description that equals `self` inside `context`.
    ///
    /// Spaces that `context` lacks are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 0 <= i <= x; T[] -> A[0] }")?;
    /// let known = UnionMap::parse("{ S[i] -> A[x] : i >= 0 }")?;
    /// assert_eq!(
    ///     union.gist(&known, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[x] : x >= i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        self.with_partners(context, |map, context| map.gist(context, budget))
    }

    /// The gist with respect to a set of parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set, UnionMap};
    /// let union = UnionMap::parse("[n] -> { S[i] -> A[i] : 0 <= i < n and n >= 3 }")?;
    /// let known = Set::parse("[n] -> { : n >= 3 }")?;
    /// let simpler = union.gist_params(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "[n] -> { S[i] -> A[i] : 0 <= i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.gist_params(context, budget))
    }

    /// The gist inside a domain; spaces outside of it are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let union = UnionMap::parse("{ S[i] -> A[i] : 0 <= i <= 9; T[] -> A[0] }")?;
    /// let known = UnionSet::parse("{ S[i] : i >= 0 }")?;
    /// let simpler = union.gist_domain(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "{ S[i] -> A[i] : i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist_domain(&self, context: &UnionSet, budget: &Budget) -> Result<Self> {
        self.with_sets(context, Space::domain, |map, set| map.gist_domain(set, budget))
    }

    /// The gist inside a range; spaces outside of it are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 0 <= x <= i; T[] -> B[0] }")?;
    /// let known = UnionSet::parse("{ A[x] : x >= 0 }")?;
    /// let simpler = union.gist_range(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "{ S[i] -> A[x] : x <= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist_range(&self, context: &UnionSet, budget: &Budget) -> Result<Self> {
        self.with_sets(context, Space::range, |map, set| map.gist_range(set, budget))
    }

    /// The same points in fewer basic pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union =
    ///     UnionMap::parse("{ S[i] -> A[i] : i <= 4; S[i] -> A[i] : i >= 5; T[] -> A[0] }")?;
    /// let short = union.coalesce(&Budget::unlimited())?;
    /// assert_eq!(short.to_string(), "{ S[i] -> A[i]; T[] -> A[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        let mut maps = Vec::with_capacity(self.maps.len());
        for map in &self.maps {
            let joined = map.coalesce(budget)?;
            if !joined.plain_is_empty() {
                maps.push(joined);
            }
        }
        // The order of the tuples and the parameters stay.
        Ok(UnionMap { params: self.params.clone(), maps })
    }

    /// The same points in pairwise disjoint pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[0] : i <= 6; S[i] -> A[0] : i >= 4 }")?;
    /// let disjoint = union.make_disjoint(&Budget::unlimited())?;
    /// assert_eq!(disjoint.to_string(), "{ S[i] -> A[0] : i <= 6 or i >= 7 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn make_disjoint(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.make_disjoint(budget))
    }

    /// The same points without unknown existentials: every local is an explicit floor.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : exists e: 3e <= i + x <= 3e + 1 }")?;
    /// assert_eq!(
    ///     union.make_locals_explicit(&Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[x] : x <= 1 - i + 3*floor((i + x)/3) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn make_locals_explicit(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.make_locals_explicit(budget))
    }

    /// The same without constraints that follow from others.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 0 <= i <= x and x >= -5 }")?;
    /// let short = union.remove_redundancies(&Budget::unlimited())?;
    /// assert_eq!(short.to_string(), "{ S[i] -> A[x] : i >= 0 and x >= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.remove_redundancies(budget))
    }

    /// The same with implicit equalities made explicit.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 2i <= 2x + 1 and x <= i }")?;
    /// let explicit = union.detect_equalities(&Budget::unlimited())?;
    /// assert_eq!(explicit.to_string(), "{ S[i] -> A[x = i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn detect_equalities(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.detect_equalities(budget))
    }

    /// The parameter values for which there is a point.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("[n] -> { S[i] -> A[i] : 0 <= i < n; T[] -> A[n] : n = -5 }")?;
    /// assert_eq!(union.params().to_string(), "[n] -> { : n > 0 or n = -5 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn params(&self) -> Set {
        let mut result = Map::empty(self.params.clone());
        for map in &self.maps {
            result.absorb(map.params().0);
        }
        Set(result)
    }

    /// The inverse.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let writes = UnionMap::parse("{ S[i] -> A[i + 1]; T[] -> B[0] }")?;
    /// assert_eq!(writes.reverse().to_string(), "{ A[i0] -> S[i = -1 + i0]; B[0] -> T[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn reverse(&self) -> Self {
        self.each(Map::reverse)
    }

    /// The domain.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let writes = UnionMap::parse("{ S[i] -> A[x] : 0 <= x < i; T[] -> B[0] }")?;
    /// assert_eq!(writes.domain().to_string(), "{ S[i] : i > 0; T[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn domain(&self) -> UnionSet {
        UnionSet(self.each(|map| map.domain().0))
    }

    /// The range.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let writes = UnionMap::parse("{ S[i] -> A[2i]; T[] -> B[0] }")?;
    /// assert_eq!(writes.range().to_string(), "{ A[i0] : (i0) mod 2 = 0; B[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn range(&self) -> UnionSet {
        UnionSet(self.each(|map| map.range().0))
    }

    /// Those pairs whose first is in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i]; T[] -> B[0] }")?;
    /// let instances = UnionSet::parse("{ S[i] : i > 0 }")?;
    /// assert_eq!(writes.intersect_domain(&instances)?.to_string(), "{ S[i] -> A[i] : i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect_domain(&self, set: &UnionSet) -> Result<Self> {
        self.intersect_domain_within(set, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::intersect_domain`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i]; T[] -> B[0] }")?;
    /// let instances = UnionSet::parse("{ S[i] : i > 5 or i < 0 }")?;
    /// let part = writes.intersect_domain_within(&instances, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "{ S[i] -> A[i] : i >= 6 or i < 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::intersect_domain`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_domain_within(&self, set: &UnionSet, budget: &Budget) -> Result<Self> {
        self.with_sets(set, Space::domain, |a, b| a.intersect_domain_within(b, budget))
    }

    /// Those pairs whose second is in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i]; T[] -> B[0] }")?;
    /// let elements = UnionSet::parse("{ A[5]; B[1] }")?;
    /// assert_eq!(writes.intersect_range(&elements)?.to_string(), "{ S[i = 5] -> A[5] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect_range(&self, set: &UnionSet) -> Result<Self> {
        self.intersect_range_within(set, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::intersect_range`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i]; T[] -> B[0] }")?;
    /// let elements = UnionSet::parse("{ A[x] : x > 5 or x < 0 }")?;
    /// let part = writes.intersect_range_within(&elements, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "{ S[i] -> A[i] : i >= 6 or i < 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::intersect_range`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_range_within(&self, set: &UnionSet, budget: &Budget) -> Result<Self> {
        self.with_sets(set, Space::range, |a, b| a.intersect_range_within(b, budget))
    }

    /// Those pairs whose domain is not in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i] : i >= 0; T[] -> B[0] }")?;
    /// let instances = UnionSet::parse("{ S[i] : i > 3 }")?;
    /// let rest = writes.subtract_domain(&instances, &Budget::unlimited())?;
    /// assert_eq!(rest.to_string(), "{ S[i] -> A[i] : 0 <= i <= 3; T[] -> B[0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn subtract_domain(&self, set: &UnionSet, budget: &Budget) -> Result<Self> {
        self.try_each(|map| match set.0.find(&map.space.domain()) {
            Some(found) => map.subtract_domain(&Set(found.clone()), budget),
            None => Ok(map.clone()),
        })
    }

    /// Those pairs whose range is not in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let writes = UnionMap::parse("{ S[i] -> A[i] : i >= 0; T[] -> B[0] }")?;
    /// let elements = UnionSet::parse("{ A[x] : x > 3; B[0] }")?;
    /// let rest = writes.subtract_range(&elements, &Budget::unlimited())?;
    /// assert_eq!(rest.to_string(), "{ S[i] -> A[i] : 0 <= i <= 3 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn subtract_range(&self, set: &UnionSet, budget: &Budget) -> Result<Self> {
        self.try_each(|map| match set.0.find(&map.space.range()) {
            Some(found) => map.subtract_range(&Set(found.clone()), budget),
            None => Ok(map.clone()),
        })
    }

    /// The pairs (x,z) with (x,y) here and (y,z) in `other`.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let reads = UnionMap::parse("{ S[i] -> A[i + 1]; T[] -> A[7] }")?;
    /// let layout = UnionMap::parse("{ A[x] -> Memory[8x]; B[x] -> Memory[80 + 8x] }")?;
    /// assert_eq!(
    ///     reads.apply_range(&layout)?.to_string(),
    ///     "{ S[i] -> Memory[8 + 8i]; T[] -> Memory[56] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn apply_range(&self, other: &Self) -> Result<Self> {
        self.apply_range_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::apply_range`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let reads = UnionMap::parse("{ S[i] -> A[i + 1]; T[] -> A[7] }")?;
    /// let layout = UnionMap::parse("{ A[x] -> [8x] }")?;
    /// let bytes = reads.apply_range_within(&layout, &Budget::steps(10_000))?;
    /// assert_eq!(bytes.to_string(), "{ S[i] -> [8 + 8i]; T[] -> [56] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::apply_range`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn apply_range_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let mut results = Vec::new();
        for a in &self.maps {
            for b in other.with_input(a.space.output()) {
                results.push(a.apply_range_within(b, budget)?);
            }
        }
        Ok(UnionMap::collect(self.common_params(other), results))
    }

    /// The pairs (y,z) with (x,z) here and (x,y) in `other`: replaces domain elements.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let writes = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// let schedule = UnionMap::parse("{ S[i] -> [0, i]; T[] -> [1, 0] }")?;
    /// assert_eq!(
    ///     writes.apply_domain(&schedule)?.to_string(),
    ///     "{ [0, i1] -> A[i1]; [1, 0] -> A[0] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn apply_domain(&self, other: &Self) -> Result<Self> {
        self.apply_domain_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::apply_domain`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let writes = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// let schedule = UnionMap::parse("{ S[i] -> [0, i]; T[] -> [1, 0] }")?;
    /// let by_time = writes.apply_domain_within(&schedule, &Budget::steps(10_000))?;
    /// assert_eq!(by_time.maps().len(), 1);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::apply_domain`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn apply_domain_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        other.reverse().apply_range_within(self, budget).during("apply_domain")
    }

    /// x -> [y -> z] for x -> y here and x -> z in other.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let reads = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// let writes = UnionMap::parse("{ S[i] -> B[2i] }")?;
    /// assert_eq!(reads.range_product(&writes)?.to_string(), "{ S[i] -> [A[i] -> B[2i]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn range_product(&self, other: &Self) -> Result<Self> {
        self.range_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::range_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let reads = UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?;
    /// let writes = UnionMap::parse("{ S[i] -> B[2i] }")?;
    /// let both = reads.range_product_within(&writes, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ S[i] -> [A[i] -> B[2i]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::range_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn range_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(
            other,
            |a, b| a.input() == b.input(),
            |a, b| a.range_product_within(b, budget),
        )
    }

    /// Like `range_product`, with a flat result.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let outer = UnionMap::parse("{ S[i] -> [0]; T[i] -> [1] }")?;
    /// let inner = UnionMap::parse("{ S[i] -> [i]; T[i] -> [2i] }")?;
    /// assert_eq!(
    ///     outer.flat_range_product(&inner)?.to_string(),
    ///     "{ S[i] -> [0, i]; T[i] -> [1, 2i] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn flat_range_product(&self, other: &Self) -> Result<Self> {
        self.flat_range_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::flat_range_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let outer = UnionMap::parse("{ S[i] -> [0]; T[] -> [1] }")?;
    /// let inner = UnionMap::parse("{ S[i] -> [i]; T[] -> [0] }")?;
    /// let both = outer.flat_range_product_within(&inner, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ S[i] -> [0, i]; T[] -> [1, 0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::flat_range_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn flat_range_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(
            other,
            |a, b| a.input() == b.input(),
            |a, b| a.flat_range_product_within(b, budget),
        )
    }

    /// [x -> y] -> z for x -> z here and y -> z in other.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let a = UnionMap::parse("{ S[i] -> A[i] }")?;
    /// let b = UnionMap::parse("{ T[i] -> A[2i]; T[i] -> B[i] }")?;
    /// assert_eq!(a.domain_product(&b)?.to_string(), "{ [S[i] -> T[i']] -> A[2i'] : 2i' = i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn domain_product(&self, other: &Self) -> Result<Self> {
        self.domain_product_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::domain_product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let a = UnionMap::parse("{ S[i] -> A[] }")?;
    /// let b = UnionMap::parse("{ T[j] -> A[]; U[] -> B[] }")?;
    /// let both = a.domain_product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(both.to_string(), "{ [S[i] -> T[j]] -> A[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::domain_product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn domain_product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(
            other,
            |a, b| a.output() == b.output(),
            |a, b| a.domain_product_within(b, budget),
        )
    }

    /// [a -> b] -> [c -> d] from a -> c and b -> d.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let a = UnionMap::parse("{ S[i] -> A[i] }")?;
    /// let b = UnionMap::parse("{ T[j] -> B[2j]; U[] -> B[0] }")?;
    /// assert_eq!(
    ///     a.product(&b)?.to_string(),
    ///     "{ [S[i] -> T[j]] -> [A[i] -> B[2j]]; [S[i] -> U[]] -> [A[i] -> B[0]] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn product(&self, other: &Self) -> Result<Self> {
        self.product_within(other, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::product`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let a = UnionMap::parse("{ S[i] -> A[i] }")?;
    /// let b = UnionMap::parse("{ T[] -> B[]; U[] -> B[] }")?;
    /// let pairs = a.product_within(&b, &Budget::steps(10_000))?;
    /// assert_eq!(pairs.maps().len(), 2);
    /// assert!(a.product_within(&b, &Budget::steps(0)).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::product`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn product_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        self.with_all(other, |_, _| true, |a, b| a.product_within(b, budget))
    }

    /// Projects out parameters.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("[n, m] -> { S[i] -> A[i] : 0 <= i < n < m; T[] -> A[m] }")?;
    /// assert_eq!(
    ///     union.project_out_params(0, 1).to_string(),
    ///     "[m] -> { S[i] -> A[i] : 0 <= i <= -2 + m; T[] -> A[m] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such parameters.
    pub fn project_out_params(&self, first: usize, count: usize) -> Self {
        let params = self.params.drop_dims(DimKind::Param, first, count);
        let maps = self.maps.iter().map(|map| map.project_out(DimKind::Param, first, count));
        UnionMap::collect(params, maps)
    }

    /// The set of wrapped pairs.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> A[i + 1]; T[] -> B[0] }")?;
    /// assert_eq!(union.wrap().to_string(), "{ [S[i] -> A[1 + i]]; [T[] -> B[0]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn wrap(&self) -> UnionSet {
        UnionSet(self.each(|map| map.wrap().0))
    }

    /// The relation [x -> y] -> x.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 0 <= x <= i }")?;
    /// let expected = "{ [S[i] -> A[x]] -> S[i' = i] : 0 <= x <= i }";
    /// assert_eq!(union.domain_map().to_string(), expected);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn domain_map(&self) -> Self {
        self.each(Map::domain_map)
    }

    /// The relation [x -> y] -> y.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 0 <= x <= i }")?;
    /// let expected = "{ [S[i] -> A[x]] -> A[x' = x] : 0 <= x <= i }";
    /// assert_eq!(union.range_map().to_string(), expected);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn range_map(&self) -> Self {
        self.each(Map::range_map)
    }

    /// The results for those relations whose tuple of a kind is nested.
    fn each_nested(&self, kind: DimKind, change: fn(&Map) -> Result<Map>) -> Result<Self> {
        let is_nested =
            |map: &&Map| map.space.tuple(kind).is_some_and(|tuple| tuple.as_nested().is_some());
        UnionMap::try_collect(&self.params, self.maps.iter().filter(is_nested).map(change))
    }

    /// ((x->y)->z) from (x->(y->z)); relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> [A[i] -> B[2i]]; T[] -> C[] }")?;
    /// assert_eq!(union.uncurry()?.to_string(), "{ [S[i] -> A[i]] -> B[2i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn uncurry(&self) -> Result<Self> {
        self.each_nested(DimKind::Out, Map::uncurry)
    }

    /// (x->(y->z)) from ((x->y)->z); relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ [S[i] -> A[x]] -> B[i + x]; T[] -> C[] }")?;
    /// assert_eq!(union.curry()?.to_string(), "{ S[i] -> [A[x] -> B[i + x]] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn curry(&self) -> Result<Self> {
        self.each_nested(DimKind::In, Map::curry)
    }

    /// From [a->b] -> c: a -> c; relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ [S[i] -> A[x]] -> B[i + x] : x >= 0; T[] -> C[] }")?;
    /// assert_eq!(union.domain_factor_domain()?.to_string(), "{ S[i] -> B[o0] : o0 >= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn domain_factor_domain(&self) -> Result<Self> {
        self.each_nested(DimKind::In, Map::domain_factor_domain)
    }

    /// From [a->b] -> c: b -> c; relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ [S[i] -> A[x]] -> B[i + x] : i >= 0; T[] -> C[] }")?;
    /// assert_eq!(union.domain_factor_range()?.to_string(), "{ A[x] -> B[o0] : o0 >= x }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn domain_factor_range(&self) -> Result<Self> {
        self.each_nested(DimKind::In, Map::domain_factor_range)
    }

    /// From x -> [a->b]: x -> a; relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> [A[i] -> B[2i]]; T[] -> C[] }")?;
    /// assert_eq!(union.range_factor_domain()?.to_string(), "{ S[i] -> A[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn range_factor_domain(&self) -> Result<Self> {
        self.each_nested(DimKind::Out, Map::range_factor_domain)
    }

    /// From x -> [a->b]: x -> b; relations of another form are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> [A[i] -> B[2i]]; T[] -> C[] }")?;
    /// assert_eq!(union.range_factor_range()?.to_string(), "{ S[i] -> B[2i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn range_factor_range(&self) -> Result<Self> {
        self.each_nested(DimKind::Out, Map::range_factor_range)
    }

    /// Whether every element of the domain has one image.
    ///
    /// *Method.* Every relation is single-valued, and relations to different tuples have
    /// disjoint domains.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let budget = &Budget::unlimited();
    /// let function = UnionMap::parse("{ S[i] -> A[i] : i >= 0; S[i] -> B[i] : i < 0 }")?;
    /// assert!(function.is_single_valued(budget)?);
    /// // S[0] has two images.
    /// let relation = UnionMap::parse("{ S[i] -> A[i] : i >= 0; S[i] -> B[i] : i <= 0 }")?;
    /// assert!(!relation.is_single_valued(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_single_valued(&self, budget: &Budget) -> Result<bool> {
        for (position, map) in self.maps.iter().enumerate() {
            if !map.is_single_valued(budget)? {
                return Ok(false);
            }
            let same_domain =
                self.maps[..position].iter().filter(|m| m.space.input() == map.space.input());
            for earlier in same_domain {
                if !map.domain().is_disjoint(&earlier.domain(), budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether every element of the range has one origin.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let budget = &Budget::unlimited();
    /// let writes = UnionMap::parse("{ S[i] -> A[2i]; T[i] -> A[2i + 1] }")?;
    /// assert!(writes.is_injective(budget)?);
    /// assert!(!UnionMap::parse("{ S[i] -> A[i]; T[] -> A[0] }")?.is_injective(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_injective(&self, budget: &Budget) -> Result<bool> {
        self.reverse().is_single_valued(budget)
    }

    /// Whether it is single-valued and injective.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let budget = &Budget::unlimited();
    /// assert!(UnionMap::parse("{ S[i] -> A[i]; T[] -> B[] }")?.is_bijective(budget)?);
    /// assert!(!UnionMap::parse("{ S[i] -> A[i]; S[i] -> B[i] }")?.is_bijective(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn is_bijective(&self, budget: &Budget) -> Result<bool> {
        Ok(self.is_single_valued(budget)? && self.is_injective(budget)?)
    }

    /// The differences range - domain of pairs in equal spaces; other relations are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let dependences = UnionMap::parse("{ S[i, j] -> S[i + 1, j - 1]; S[i, j] -> T[] }")?;
    /// assert_eq!(dependences.deltas()?.to_string(), "{ S[1, -1] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn deltas(&self) -> Result<UnionSet> {
        let square = self.maps.iter().filter(|map| map.space.input() == map.space.output());
        let deltas = square.map(|map| map.deltas().map(|set| set.0));
        Ok(UnionSet(UnionMap::try_collect(&self.params, deltas)?))
    }

    /// The relation [x -> y] -> y - x of the pairs in equal spaces; other relations are dropped.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let union = UnionMap::parse("{ S[i] -> S[i + 2]; S[i] -> T[] }")?;
    /// assert_eq!(union.deltas_map()?.to_string(), "{ [S[i] -> S[2 + i]] -> S[2] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own.
    pub fn deltas_map(&self) -> Result<Self> {
        let square = self.maps.iter().filter(|map| map.space.input() == map.space.output());
        UnionMap::try_collect(&self.params, square.map(Map::deltas_map))
    }

    /// x -> x for x in the set.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionMap, UnionSet};
    /// let set = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// let identity = UnionMap::identity_on(&set);
    /// assert_eq!(identity.to_string(), "{ S[i] -> S[i' = i] : i > 0; T[] -> T[] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn identity_on(set: &UnionSet) -> Self {
        set.0.each(|map| Map::identity_on(&Set(map.clone())))
    }

    /// All pairs.
    ///
    /// ```
    /// # use loopwright_presburger::{UnionMap, UnionSet};
    /// let statements = UnionSet::parse("{ S[i] : i > 0; T[] }")?;
    /// let arrays = UnionSet::parse("{ A[x] : x >= 0 }")?;
    /// let pairs = UnionMap::from_domain_and_range(&statements, &arrays)?;
    /// assert_eq!(pairs.to_string(), "{ S[i] -> A[x] : i > 0 and x >= 0; T[] -> A[x] : x >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn from_domain_and_range(domain: &UnionSet, range: &UnionSet) -> Result<Self> {
        UnionMap::from_domain_and_range_within(domain, range, &Budget::for_one_call())
    }

    /// The same as [`UnionMap::from_domain_and_range`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap, UnionSet};
    /// let (a, b) = (UnionSet::parse("{ A[i] }")?, UnionSet::parse("{ B[j] }")?);
    /// let pairs = UnionMap::from_domain_and_range_within(&a, &b, &Budget::steps(1000))?;
    /// assert_eq!(pairs.to_string(), "{ A[i] -> B[j] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`UnionMap::from_domain_and_range`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn from_domain_and_range_within(
        domain: &UnionSet,
        range: &UnionSet,
        budget: &Budget,
    ) -> Result<Self> {
        let pairs = |a: &Map, b: &Map| {
            Map::from_domain_and_range_within(&Set(a.clone()), &Set(b.clone()), budget)
        };
        domain.0.with_all(&range.0, |_, _| true, pairs)
    }

    /// The smallest images per space.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union =
    ///     UnionMap::parse("{ S[i] -> A[x] : x >= i and x >= 0; T[i] -> A[x] : 2x >= i }")?;
    /// assert_eq!(
    ///     union.lexmin(&Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[x = i] : i >= 0; S[i] -> A[x = 0] : i < 0; T[i] -> A[x] : i <= 2x <= 1 + i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.lexmin(budget))
    }

    /// The greatest images per space.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let union = UnionMap::parse("{ S[i] -> A[x] : 3x <= i; T[] -> A[x] : 0 <= x <= 9 }")?;
    /// assert_eq!(
    ///     union.lexmax(&Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[x] : -2 + i <= 3x <= i; T[] -> A[x = 9] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmax`].
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> {
        self.try_each(|map| map.lexmax(budget))
    }

    /// { x -> y : self(x) = other(y) }.
    ///
    /// ```
    /// # use loopwright_presburger::UnionMap;
    /// let schedule = UnionMap::parse("{ S[i] -> [i]; T[i] -> [2i] }")?;
    /// let same_time = schedule.eq_at(&schedule)?;
    /// assert_eq!(
    ///     same_time.to_string(),
    ///     "{ S[i] -> S[i' = i]; S[i] -> T[i'] : 2i' = i; T[i] -> S[i' = 2i]; T[i] -> T[i' = i] }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn eq_at(&self, other: &Self) -> Result<Self> {
        self.with_all(other, |a, b| a.output() == b.output(), Map::eq_at_map)
    }
}

/// Whether a fallible property holds for all maps.
fn all(maps: &[Map], mut holds: impl FnMut(&Map) -> Result<bool>) -> Result<bool> {
    for map in maps {
        if !holds(map)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl From<Map> for UnionMap {
    fn from(map: Map) -> Self {
        UnionMap::from_map(map)
    }
}
