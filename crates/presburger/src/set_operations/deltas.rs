//! Differences of the two ends of a relation, and sums of images.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::columns::{Part, conjoin_data, places};
use crate::core::error::{Error, Result};
use crate::core::map::{Map, first_dim};
use crate::core::set::Set;
use crate::core::space::DimKind;
use loopwright_exact::Int;

/// Adds `difference + i = (y + i) - (x + i)` for `n` consecutive columns.
fn push_differences(data: &mut BasicRelation, difference: usize, x: usize, y: usize, n: usize) {
    for i in 0..n {
        let mut row = data.difference_row(y + i, x + i, 0);
        row.set(difference + i, Int::from(1));
        data.equalities.push(row);
    }
}

impl Map {
    fn check_ends(&self, operation: &'static str) -> Result<()> {
        if self.space.is_map() && self.space.input() == self.space.output() {
            return Ok(());
        }
        let reason = format!("{} does not relate a tuple with itself", self.space);
        Err(Error::Invalid { operation, reason })
    }

    /// The differences range - domain of pairs in equal spaces.
    ///
    /// *Method.* {d : exists x, y: (x,y) here and d = y - x}.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let dependence = Map::parse("{ S[i, j] -> S[i + 1, k] : j <= k <= j + 2 }")?;
    /// assert_eq!(dependence.deltas()?.to_string(), "{ S[1, k] : 0 <= k <= 2 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If domain and range are not the same space.
    pub fn deltas(&self) -> Result<Set> {
        self.check_ends("deltas")?;
        let n = self.n(DimKind::In);
        let start = first_dim(self);
        let (x, y) = (start + n, start + 2 * n);
        let place = places(self.n(DimKind::Param), x..x + n, y..y + n);
        let space = self.space.range();
        let difference = |basic: &BasicMap| {
            let part = Part { system: &basic.inner, place: &place };
            let mut data = conjoin_data(space.clone(), 2 * n, &[part]);
            if !data.empty {
                push_differences(&mut data, start, x, y, n);
            }
            BasicMap::from_projection(data)
        };
        Ok(Set(self.map_basics(space.clone(), difference).without_plainly_contained()))
    }

    /// The relation [x -> y] -> y - x of the pairs in equal spaces.
    ///
    /// ```
    /// use loopwright_presburger::Map;
    /// let step = Map::parse("{ [i] -> [i + 2] }")?;
    /// assert_eq!(step.deltas_map()?.range().to_string(), "{ [2] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If domain and range are not the same space.
    pub fn deltas_map(&self) -> Result<Self> {
        self.check_ends("deltas_map")?;
        let n = self.n(DimKind::In);
        let x = first_dim(self);
        let (y, d) = (x + n, x + 2 * n);
        let place = places(self.n(DimKind::Param), x..y, y..d);
        let wrapped = self.space.wrap().output().cloned();
        let space = self.space.with_tuples(wrapped, self.space.output().cloned());
        let difference = |basic: &BasicMap| {
            let part = Part { system: &basic.inner, place: &place };
            let mut data = conjoin_data(space.clone(), 0, &[part]);
            if !data.empty {
                push_differences(&mut data, d, x, y, n);
            }
            BasicMap::from_data(data)
        };
        Ok(self.map_basics(space.clone(), difference))
    }

    /// The pairs (x, y + z) with (x, y) here and (x, z) in `other`.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let a = Map::parse("{ S[i] -> A[2i] }")?;
    /// let b = Map::parse("{ S[i] -> A[x] : 0 <= x <= 5 }")?;
    /// assert_eq!(a.sum(&b)?.to_string(), "{ S[i] -> A[o0] : 2i <= o0 <= 5 + 2i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`] if the tuples differ.
    pub fn sum(&self, other: &Self) -> Result<Self> {
        if !self.space.is_map() || !self.space.has_equal_tuples(&other.space) {
            return self.space.mismatch(&other.space, "sum");
        }
        let pairs = self.flat_range_product(other)?;
        let n = self.n(DimKind::Out);
        let output = self.space.output().cloned();
        let space = pairs.space.with_tuples(pairs.space.output().cloned(), output);
        let mut data = BasicRelation::new(space, Vec::new());
        let y = 1 + pairs.n(DimKind::Param);
        for i in 0..n {
            let mut row = data.difference_row(y + 2 * n + i, y + i, 0);
            row.set(y + n + i, Int::from(1));
            data.equalities.push(row);
        }
        pairs.apply_range(&Map::from_basic_map(BasicMap::from_data(data)))
    }
}
