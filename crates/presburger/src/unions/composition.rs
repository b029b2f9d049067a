//! Ends, inverses, images and compositions of unions.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;

impl UnionMap {
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

impl UnionSet {
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
}
