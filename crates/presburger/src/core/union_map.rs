//! Unions of relations over several spaces.
//!
//! A union holds one [`Map`] per pair of tuples, ordered by the tuples. Its operations distribute:
//! each takes the relations whose tuples fit and collects the results.
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::space::Space;
use crate::core::tuple::{Name, Tuple};

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
#[derive(Clone)]
#[must_use = "a new value is returned, operands do not change"]
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
        UnionMap::merged(params, maps.into_iter().collect())
    }

    /// [`UnionMap::collect`], compiled once and not for each kind of iterator.
    fn merged(params: Space, mut maps: Vec<Map>) -> Self {
        maps.retain(|map| !map.plain_is_empty());
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
    pub(crate) fn try_collect(
        params: &Space,
        maps: impl IntoIterator<Item = Result<Map>>,
    ) -> Result<Self> {
        let maps = maps.into_iter().collect::<Result<Vec<Map>>>()?;
        Ok(UnionMap::collect(params.clone(), maps))
    }

    /// Every relation changed in the same way.
    pub(crate) fn each(&self, change: impl FnMut(&Map) -> Map) -> Self {
        UnionMap::collect(self.params.clone(), self.maps.iter().map(change))
    }

    /// Every relation changed in the same way, if that succeeds for all.
    pub(crate) fn try_each(&self, change: impl FnMut(&Map) -> Result<Map>) -> Result<Self> {
        UnionMap::try_collect(&self.params, self.maps.iter().map(change))
    }

    /// The parameters of both.
    pub(crate) fn common_params(&self, other: &Self) -> Space {
        self.params.merge_params(&other.params)
    }

    /// The relation with the tuples of `space`.
    pub(crate) fn find(&self, space: &Space) -> Option<&Map> {
        let found = self.maps.binary_search_by(|map| map.space.compare_tuples(space));
        found.ok().map(|position| &self.maps[position])
    }

    /// Combines the relations with equal tuples; those without a partner are dropped.
    pub(crate) fn with_partners(
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
    pub(crate) fn with_input(&self, tuple: Option<&Tuple>) -> &[Map] {
        let first = self.maps.partition_point(|map| map.space.input() < tuple);
        let behind = self.maps[first..].partition_point(|map| map.space.input() == tuple);
        &self.maps[first..first + behind]
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
}

impl From<Map> for UnionMap {
    fn from(map: Map) -> Self {
        UnionMap::from_map(map)
    }
}

/// Nothing, over no parameters.
impl Default for UnionMap {
    fn default() -> Self {
        UnionMap::empty()
    }
}
