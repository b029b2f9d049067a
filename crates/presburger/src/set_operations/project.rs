//! Projection, and the other operations that add, move or remove dimensions.
//!
//! A dimension that is projected out becomes an unknown local, unless an equality determines it
//! ([`crate::set_operations::plain_projection`]). The normal form then removes as many unknowns as it can
//! without changing the set of integer points, see [`crate::core::normal_form::existential_elimination`].
use crate::core::basic_map::BasicMap;
use crate::core::columns::{Part, conjoin_data, permute, places};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::{Name, Tuple};
use std::ops::Range;

/// The first column of the dimensions of a kind in rows over `space`.
pub(crate) fn space_offset(space: &Space, kind: DimKind) -> usize {
    let inputs = 1 + space.n(DimKind::Param);
    match kind {
        DimKind::Param => 1,
        DimKind::In => inputs,
        DimKind::Out => inputs + space.n(DimKind::In),
        DimKind::Local => 1 + space.n_all(),
    }
}

/// The columns of some dimensions of a kind.
pub(crate) fn dim_columns(
    space: &Space,
    kind: DimKind,
    first: usize,
    count: usize,
) -> Range<usize> {
    assert!(first + count <= space.n(kind), "{kind:?} {first}..+{count} is not in {space}");
    let start = space_offset(space, kind) + first;
    start..start + count
}

impl BasicMap {
    /// Projects out dimensions: exact; what cannot be eliminated becomes an unknown local.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("{ S[i, j] -> A[j] : 0 <= i <= j }")?;
    /// let outer = map.basic_maps()[0].project_out(DimKind::In, 0, 1);
    /// assert_eq!(Map::from_basic_map(outer).to_string(), "{ [j] -> A[j] : j >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn project_out(&self, kind: DimKind, first: usize, count: usize) -> Self {
        let target = self.space().drop_dims(kind, first, count);
        self.project_columns(target, dim_columns(self.space(), kind, first, count))
    }

    /// Projects out the columns; the others are those of `target` in order.
    pub(crate) fn project_columns(&self, target: Space, columns: Range<usize>) -> Self {
        let (dropped, is_complete) = self.inner.determining_equalities(&columns);
        if is_complete {
            let rest = self.inner.without_columns(target, &columns, &dropped);
            return BasicMap::from_normal_data(rest);
        }
        let place = projection_places(self.space(), &columns);
        let part = Part { system: &self.inner, place: &place };
        let mut system = conjoin_data(target, columns.len(), &[part]);
        let mut is_dropped = dropped.into_iter();
        system.equalities.retain(|_| !is_dropped.next().unwrap_or_default());
        BasicMap::from_projection(system)
    }
}

/// The columns outside of `columns` move together, and those become the first unknowns.
fn projection_places(space: &Space, columns: &Range<usize>) -> Vec<usize> {
    let n_dims = 1 + space.n_all();
    let unknowns = n_dims - columns.len();
    let kept_after = columns.start..unknowns;
    (0..columns.start).chain(unknowns..n_dims).chain(kept_after).collect()
}

impl Map {
    /// Projects out `count` dimensions of `kind` from `first` on: exact; what cannot be
    /// eliminated becomes a local. A tuple that loses dimensions becomes anonymous.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("{ S[i, j] -> A[i + 2j] : 0 <= j <= 9 }")?;
    /// assert_eq!(
    ///     map.project_out(DimKind::In, 1, 1).to_string(),
    ///     "{ [i] -> A[o0] : (i + o0) mod 2 = 0 and i <= o0 <= 18 + i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn project_out(&self, kind: DimKind, first: usize, count: usize) -> Self {
        if count == 0 {
            return self.clone();
        }
        let target = self.space.drop_dims(kind, first, count);
        self.project_columns(target, dim_columns(&self.space, kind, first, count))
    }

    /// Projects out the columns; the others are those of `target` in order.
    pub(crate) fn project_columns(&self, target: Space, columns: Range<usize>) -> Self {
        if columns.is_empty() {
            return self.with_space(target);
        }
        let projected = self.map_basics(target.clone(), |basic| {
            basic.project_columns(target.clone(), columns.clone())
        });
        projected.without_plainly_contained()
    }

    /// Makes the dimensions unconstrained without removing them: exact.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("{ S[i] -> A[x] : 0 <= x <= i <= 9 }")?;
    /// assert_eq!(map.eliminate(DimKind::In, 0, 1).to_string(), "{ S[i] -> A[x] : 0 <= x <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn eliminate(&self, kind: DimKind, first: usize, count: usize) -> Self {
        let columns = dim_columns(&self.space, kind, first, count);
        if columns.is_empty() {
            return self.clone();
        }
        let n_dims = 1 + self.space.n_all();
        let place: Vec<usize> = (0..columns.start)
            .chain(n_dims..n_dims + columns.len())
            .chain(columns.end..n_dims)
            .collect();
        self.map_basics(self.space.clone(), |basic| {
            let part = Part { system: &basic.inner, place: &place };
            BasicMap::from_projection(conjoin_data(self.space.clone(), columns.len(), &[part]))
        })
    }

    /// Inserts unconstrained dimensions before `position`; the tuple becomes anonymous.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("{ S[i] -> A[i + 1] }")?;
    /// assert_eq!(map.insert_dims(DimKind::Out, 0, 1).to_string(), "{ S[i] -> [o0, 1 + i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If `position` is beyond the last dimension.
    pub fn insert_dims(&self, kind: DimKind, position: usize, count: usize) -> Self {
        let at = dim_columns(&self.space, kind, position, 0).start;
        let space = self.space.insert_dims(kind, position, &vec![None; count]);
        let n_dims = 1 + self.space.n_all();
        let place: Vec<usize> = (0..at).chain(at + count..n_dims + count).collect();
        self.map_basics(space.clone(), |basic| {
            permute(space.clone(), Part { system: &basic.inner, place: &place })
        })
    }

    /// Moves dimensions between kinds; they keep their names, both tuples become anonymous.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("{ S[i, j] -> A[i + j] }")?;
    /// let moved = map.move_dims(DimKind::Out, 0, DimKind::In, 1, 1);
    /// assert_eq!(moved.to_string(), "{ [i] -> [j, i + j] }");
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
        assert_ne!(dst, src, "dimensions move between different kinds");
        if count == 0 {
            return self.clone();
        }
        let source = dim_columns(&self.space, src, src_position, count);
        let target = dim_columns(&self.space, dst, dst_position, 0).start;
        let names = self.space.dim_names(src)[src_position..src_position + count].to_vec();
        let space = self.space.drop_dims(src, src_position, count);
        let space = space.insert_dims(dst, dst_position, &names);
        let place = moved_places(1 + self.space.n_all(), source, target);
        self.map_basics(space.clone(), |basic| {
            permute(space.clone(), Part { system: &basic.inner, place: &place })
        })
    }

    /// The domain.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> A[x] : 0 <= 2x <= i }")?;
    /// assert_eq!(map.domain().to_string(), "{ S[i] : i >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn domain(&self) -> Set {
        let columns = dim_columns(&self.space, DimKind::Out, 0, self.n(DimKind::Out));
        Set(self.project_columns(self.space.domain(), columns))
    }

    /// The range.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ S[i] -> A[2i + 1] : i >= 0 }")?;
    /// assert_eq!(map.range().to_string(), "{ A[i0] : (1 + i0) mod 2 = 0 and i0 > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn range(&self) -> Set {
        let columns = dim_columns(&self.space, DimKind::In, 0, self.n(DimKind::In));
        Set(self.project_columns(self.space.range(), columns))
    }

    /// The parameter values for which there is a point.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("[n] -> { S[i] -> A[i] : 0 <= i < n }")?;
    /// assert_eq!(map.params().to_string(), "[n] -> { : n > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn params(&self) -> Set {
        let first = 1 + self.n(DimKind::Param);
        Set(self.project_columns(self.space.to_params(), first..1 + self.space.n_all()))
    }
}

/// The places when the columns `source` move before column `target` of the same `n` columns.
pub(crate) fn moved_places(n: usize, source: Range<usize>, target: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).filter(|column| !source.contains(column)).collect();
    let at = if target > source.start { target - source.len() } else { target };
    order.splice(at..at, source);
    let mut place = vec![0; n];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    place
}

impl Set {
    /// The first `n` dims as domain, the others as range of a relation (anonymous tuples).
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("{ [i, j, k] : i < j < k }")?;
    /// assert_eq!(set.split_dims(1).to_string(), "{ [i] -> [j, k] : j > i and k > j }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are fewer than `n` dimensions.
    pub fn split_dims(&self, n: usize) -> Map {
        let names = self.0.space.dim_names(DimKind::Out);
        let tuple = |names: &[Option<Name>]| Tuple::anonymous(names.len()).with_dim_names(names);
        let (input, output) = names.split_at(n);
        let space = self.0.space.with_tuples(Some(tuple(input)), Some(tuple(output)));
        self.0.with_space(space)
    }

    /// The parameter set as a set without constraints on the dimensions of a tuple.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Tuple};
    /// let params = Set::parse("[n] -> { : n > 0 }")?;
    /// assert_eq!(
    ///     params.from_params(Tuple::named("S", 1)).to_string(),
    ///     "[n] -> { S[i0] : n > 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If this is not a parameter set.
    pub fn from_params(&self, tuple: Tuple) -> Self {
        assert!(self.space().is_params(), "{} has a tuple already", self.space());
        let space = self.0.space.with_tuples(None, Some(tuple));
        let place = places(self.0.n(DimKind::Param), 0..0, 0..0);
        Set(self.0.map_basics(space.clone(), |basic| {
            permute(space.clone(), Part { system: &basic.inner, place: &place })
        }))
    }
}

impl Set {
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
}
