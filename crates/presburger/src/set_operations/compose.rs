//! Composition of relations, and restriction to domains and ranges.
use crate::core::budget::Budget;
use crate::core::columns::{Part, permute, places};
use crate::core::error::{During, Result};
use crate::core::map::{Map, align_maps, first_dim};
use crate::core::set::Set;
use crate::core::space::DimKind;
use std::ops::Range;

impl Map {
    /// The inverse.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> A[2i] : i > 0 }")?;
    /// assert_eq!(map.reverse().to_string(), "{ A[i0] -> S[i] : 2i = i0 and i > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn reverse(&self) -> Self {
        let space = self.space.reverse();
        let start = first_dim(self);
        let (n_in, n_out) = (self.n(DimKind::In), self.n(DimKind::Out));
        let middle = start + n_out;
        let place = places(self.n(DimKind::Param), middle..middle + n_in, start..middle);
        self.map_basics(space.clone(), |basic| {
            permute(space.clone(), Part { system: &basic.inner, place: &place })
        })
    }

    /// Those pairs whose first is in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Set};
    /// let map = Map::parse("{ S[i] -> A[i + 1] }")?;
    /// let set = Set::parse("[n] -> { S[i] : 0 <= i < n }")?;
    /// assert_eq!(
    ///     map.intersect_domain(&set)?.to_string(),
    ///     "[n] -> { S[i] -> A[1 + i] : 0 <= i < n }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the set is in another space than the domain,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect_domain(&self, set: &Set) -> Result<Self> {
        self.intersect_domain_within(set, &Budget::for_one_call())
    }

    /// The same as [`Map::intersect_domain`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let map = Map::parse("{ S[i] -> A[i + 1] : i > 0 or i < -5 }")?;
    /// let set = Set::parse("{ S[i] : i <= 9 }")?;
    /// let part = map.intersect_domain_within(&set, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "{ S[i] -> A[1 + i] : 0 < i <= 9 or i <= -6 }");
    /// assert!(map.intersect_domain_within(&set, &Budget::steps(0)).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::intersect_domain`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_domain_within(&self, set: &Set, budget: &Budget) -> Result<Self> {
        if self.space.input() != set.space().output() || !self.space.is_map() {
            return self.space.mismatch(set.space(), "intersect_domain");
        }
        let (a, b) = align_maps(self, set.as_map());
        let start = first_dim(&a);
        let columns = start..start + a.n(DimKind::In);
        a.restrict(&b, columns, budget).during("intersect_domain")
    }

    /// Those pairs whose second is in `set`.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Set};
    /// let map = Map::parse("{ S[i] -> A[i + 1] }")?;
    /// let set = Set::parse("{ A[x] : 0 <= x <= 9 }")?;
    /// assert_eq!(map.intersect_range(&set)?.to_string(), "{ S[i] -> A[1 + i] : -1 <= i <= 8 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the set is in another space than the range,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn intersect_range(&self, set: &Set) -> Result<Self> {
        self.intersect_range_within(set, &Budget::for_one_call())
    }

    /// The same as [`Map::intersect_range`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let map = Map::parse("{ S[i] -> A[i + 1] : i > 0 or i < -5 }")?;
    /// let set = Set::parse("{ A[x] : x <= 9 }")?;
    /// let part = map.intersect_range_within(&set, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "{ S[i] -> A[1 + i] : 0 < i <= 8 or i <= -6 }");
    /// assert!(map.intersect_range_within(&set, &Budget::steps(0)).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::intersect_range`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_range_within(&self, set: &Set, budget: &Budget) -> Result<Self> {
        if self.space.output() != set.space().output() || set.space().is_params() {
            return self.space.mismatch(set.space(), "intersect_range");
        }
        let (a, b) = align_maps(self, set.as_map());
        let start = first_dim(&a) + a.n(DimKind::In);
        let columns = start..start + a.n(DimKind::Out);
        a.restrict(&b, columns, budget).during("intersect_range")
    }

    /// The intersection with a set whose dimensions are the given columns here.
    fn restrict(&self, set: &Map, columns: Range<usize>, budget: &Budget) -> Result<Self> {
        if set.plain_is_universe() {
            return Ok(self.clone());
        }
        let place: Vec<usize> = (0..=self.space.n_all()).collect();
        let set_place = places(self.n(DimKind::Param), 0..0, columns);
        self.conjoin_all(set, &self.space, 0, [&place, &set_place], budget)
    }

    /// The pairs (x,z) with (x,y) here and (y,z) in `other`.
    ///
    /// *Method.* The conjunction of both over x, y, z, where y becomes unknown.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let read = Map::parse("{ S[i] -> A[i + 1] }")?;
    /// let layout = Map::parse("{ A[x] -> [8x] : x >= 0 }")?;
    /// assert_eq!(read.apply_range(&layout)?.to_string(), "{ S[i] -> [8 + 8i] : i >= -1 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the range is not the domain of `other`,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn apply_range(&self, other: &Self) -> Result<Self> {
        self.apply_range_within(other, &Budget::for_one_call())
    }

    /// The same as [`Map::apply_range`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let read = Map::parse("{ S[i] -> A[i + 1]; S[i] -> A[i] }")?;
    /// let layout = Map::parse("{ A[x] -> [8x] : x >= 0; A[x] -> [0] : x < 0 }")?;
    /// let read_at = read.apply_range_within(&layout, &Budget::steps(10_000))?;
    /// assert_eq!(read_at.basic_maps().len(), 4);
    /// assert!(read.apply_range_within(&layout, &Budget::steps(1)).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::apply_range`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn apply_range_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let matching = self.space.output() == other.space.input();
        if !matching || !other.space.is_map() {
            return self.space.mismatch(&other.space, "apply_range");
        }
        let (a, b) = align_maps(self, other);
        a.join(DimKind::Out, &b, budget).during("apply_range")
    }

    /// The pairs of what is left of a pair here, without its `shared` tuple, and the second of a
    /// pair in `other` whose first is the shared tuple. The parameters agree.
    fn join(&self, shared: DimKind, other: &Self, budget: &Budget) -> Result<Self> {
        let is_output = shared == DimKind::Out;
        let kept = if is_output { DimKind::In } else { DimKind::Out };
        let (n_kept, n_middle, n_out) = (self.n(kept), self.n(shared), other.n(DimKind::Out));
        let input = first_dim(self)..first_dim(self) + n_kept;
        let output = input.end..input.end + n_out;
        let middle = output.end..output.end + n_middle;
        let n_params = self.n(DimKind::Param);
        let place = match is_output {
            true => places(n_params, input, middle.clone()),
            false => places(n_params, middle.clone(), input),
        };
        let other_place = places(n_params, middle, output);
        let kept = if is_output { self.space.input() } else { self.space.output() };
        let space = self.space.with_tuples(kept.cloned(), other.space.output().cloned());
        self.conjoin_all(other, &space, n_middle, [&place, &other_place], budget)
    }

    /// The pairs (y,z) with (x,z) here and (x,y) in `other`: replaces domain elements.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let access = Map::parse("{ S[i] -> A[i + 1] }")?;
    /// let schedule = Map::parse("{ S[i] -> [2i] }")?;
    /// assert_eq!(access.apply_domain(&schedule)?.to_string(), "{ [i0] -> A[o0] : 2o0 = 2 + i0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the domain is not that of `other`,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn apply_domain(&self, other: &Self) -> Result<Self> {
        self.apply_domain_within(other, &Budget::for_one_call())
    }

    /// The same as [`Map::apply_domain`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let access = Map::parse("{ S[i] -> A[i]; S[i] -> A[i + 1] }")?;
    /// let schedule = Map::parse("{ S[i] -> [i + 5] }")?;
    /// let by_time = access.apply_domain_within(&schedule, &Budget::steps(10_000))?;
    /// assert_eq!(by_time.to_string(), "{ [i0] -> A[-5 + i0]; [i0] -> A[-4 + i0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::apply_domain`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn apply_domain_within(&self, other: &Self, budget: &Budget) -> Result<Self> {
        let matching = self.space.input() == other.space.input();
        if !matching || !self.space.is_map() || !other.space.is_map() {
            return self.space.mismatch(&other.space, "apply_domain");
        }
        let (a, b) = align_maps(other, self);
        a.join(DimKind::In, &b, budget).during("apply_domain")
    }
}

impl Set {
    /// The image under a relation.
    ///
    /// *Method.* The conjunction of both over the pairs, where the domain becomes unknown. If the
    /// set has several pieces, the relation is restricted first, which keeps pieces that lie in one
    /// of them.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Set};
    /// let set = Set::parse("{ S[i] : 0 <= i <= 9 }")?;
    /// let access = Map::parse("{ S[i] -> A[2i] }")?;
    /// assert_eq!(set.apply(&access)?.to_string(), "{ A[i0] : (i0) mod 2 = 0 and 0 <= i0 <= 18 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the set is in another space than the domain,
    /// [`Error::Exceeded`](crate::Error::Exceeded) for very many pieces.
    pub fn apply(&self, map: &Map) -> Result<Self> {
        self.apply_within(map, &Budget::for_one_call())
    }

    /// The same as [`Set::apply`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let set = Set::parse("{ S[i] : 0 <= i <= 4 or 8 <= i <= 9 }")?;
    /// let access = Map::parse("{ S[i] -> A[i + 1] }")?;
    /// let touched = set.apply_within(&access, &Budget::steps(10_000))?;
    /// assert_eq!(touched.to_string(), "{ A[i0] : 0 < i0 <= 5 or 9 <= i0 <= 10 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::apply`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn apply_within(&self, map: &Map, budget: &Budget) -> Result<Self> {
        if map.space.input() != self.space().output() || !map.space.is_map() {
            return map.space.mismatch(self.space(), "apply");
        }
        if self.0.basics.len() != 1 || self.0.plain_is_universe() {
            return Ok(map.intersect_domain_within(self, budget).during("apply")?.range());
        }
        let (a, b) = align_maps(map, &self.0);
        let (n_params, n_in) = (a.n(DimKind::Param), a.n(DimKind::In));
        let output = first_dim(&a)..first_dim(&a) + a.n(DimKind::Out);
        let input = output.end..output.end + n_in;
        let place = places(n_params, input.clone(), output);
        let set_place = places(n_params, 0..0, input);
        let space = a.space.range();
        let places = [&place[..], &set_place];
        Ok(Set(a.conjoin_all(&b, &space, n_in, places, budget).during("apply")?))
    }
}

impl Map {
    /// The intersection with a set of parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Set};
    /// let map = Map::parse("[n] -> { S[i] -> A[i + n] }")?;
    /// let positive = Set::parse("[n] -> { : n > 0 }")?;
    /// assert_eq!(
    ///     map.intersect_params(&positive)?.to_string(),
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

    /// The same as [`Map::intersect_params`], within a budget.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let map = Map::parse("[n] -> { S[i] -> A[i + n] }")?;
    /// let set = Set::parse("[n] -> { : n > 5 or n < 0 }")?;
    /// let part = map.intersect_params_within(&set, &Budget::steps(10_000))?;
    /// assert_eq!(part.to_string(), "[n] -> { S[i] -> A[n + i] : n >= 6 or n < 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::intersect_params`]; [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn intersect_params_within(&self, params: &Set, budget: &Budget) -> Result<Self> {
        if !params.space().is_params() {
            return self.space.mismatch(params.space(), "intersect_params");
        }
        let (a, b) = align_maps(self, params.as_map());
        if b.plain_is_universe() {
            return Ok(a.into_owned());
        }
        let place: Vec<usize> = (0..=a.space.n_all()).collect();
        let param_place = places(a.n(DimKind::Param), 0..0, 0..0);
        let places = [&place[..], &param_place];
        a.conjoin_all(&b, &a.space, 0, places, budget).during("intersect_params")
    }
}

impl Set {
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
}
