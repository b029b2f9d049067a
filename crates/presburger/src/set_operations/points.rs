//! Points: membership of one, sets of one, enumeration of all.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::{During, Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::solve::optimum::Optimum;
use loopwright_exact::{Int, Row};

impl BasicMap {
    /// Whether the point (values of parameters, then of input and output) satisfies all
    /// constraints.
    ///
    /// *Method.* Floors are evaluated; with unknown locals left over, the dimensions are fixed
    /// and the rest is tested for emptiness.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map};
    /// let map = Map::parse("{ [i] -> [j] : (j - i) mod 3 = 0 }")?;
    /// let basic = &map.basic_maps()[0];
    /// assert!(basic.contains_point(&[Int::from(1), Int::from(7)], &Budget::unlimited())?);
    /// assert!(!basic.contains_point(&[Int::from(1), Int::from(8)], &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the budget ends, or if the point has another length.
    pub fn contains_point(&self, point: &[Int], budget: &Budget) -> Result<bool> {
        check_length(self.space(), point)?;
        if self.inner.empty {
            return Ok(false);
        }
        if self.locals().contains(&Local::Unknown) {
            return Ok(!fix_point(&self.inner, point).is_empty(budget).during("contains_point")?);
        }
        let mut values = Row::zeros(self.n_columns());
        values.set(0, Int::ONE);
        for (i, value) in point.iter().enumerate() {
            values.set(1 + i, value.clone());
        }
        let first = self.offset(DimKind::Local);
        for (index, local) in self.locals().iter().enumerate() {
            if let Local::Floor { numerator, denominator } = local {
                values.set(first + index, numerator.dot(&values).div_floor(denominator));
            }
        }
        Ok(self.equalities().iter().all(|row| row.dot(&values).is_zero())
            && self.inequalities().iter().all(|row| !row.dot(&values).is_negative()))
    }
}

/// The system with the parameters and dimensions fixed.
fn fix_point(data: &BasicRelation, point: &[Int]) -> BasicMap {
    let mut fixed = data.clone();
    fix_columns(&mut fixed, point);
    BasicMap::from_data(fixed)
}

/// Adds the equalities of the first columns with the values of a point.
fn fix_columns(data: &mut BasicRelation, point: &[Int]) {
    for (i, value) in point.iter().enumerate() {
        let mut row = Row::unit(data.n_columns(), 1 + i);
        row.set(0, -value);
        data.equalities.push(row);
    }
}

fn check_length(space: &Space, point: &[Int]) -> Result<()> {
    if point.len() == space.n_all() {
        return Ok(());
    }
    let reason = format!("{} values are no point of {space}", point.len());
    Err(Error::Invalid { operation: "contains_point", reason })
}

impl BasicMap {
    /// The basic relation of one point (values of parameters, then of input and output).
    ///
    /// ```
    /// # use loopwright_presburger::{BasicMap, Int, Map};
    /// let space = Map::parse("{ S[i] -> A[x] }")?.space().clone();
    /// let pair = BasicMap::from_point(&space, &[Int::from(2), Int::from(5)])?;
    /// assert_eq!(Map::from_basic_map(pair).to_string(), "{ S[i = 2] -> A[x = 5] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the point has another length.
    pub fn from_point(space: &Space, point: &[Int]) -> Result<Self> {
        check_length(space, point)?;
        let mut data = BasicRelation::new(space.clone(), Vec::new());
        fix_columns(&mut data, point);
        // One equality for each column, in the order of the columns, is the normal form.
        Ok(BasicMap::from_normal_data(data))
    }
}

impl Map {
    /// One of the points as a basic relation, which is empty if there is none.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j] : 3i = j and 4 <= j <= 8 }")?;
    /// let pair = Map::from_basic_map(map.sample(&Budget::unlimited())?);
    /// assert_eq!(pair.to_string(), "{ [i = 2] -> [j = 6] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the budget ends.
    pub fn sample(&self, budget: &Budget) -> Result<BasicMap> {
        match self.sample_point(budget).during("sample")? {
            Some(point) => BasicMap::from_point(&self.space, &point),
            None => Ok(BasicMap::empty(self.space.clone())),
        }
    }

    /// Whether the pair (values of parameters, then of input and output) is in the relation.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map};
    /// let map = Map::parse("[n] -> { [i] -> [i + n] }")?;
    /// let point = [5, 1, 6].map(Int::from);
    /// assert!(map.contains_point(&point, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the budget ends, or if the point has another length.
    pub fn contains_point(&self, point: &[Int], budget: &Budget) -> Result<bool> {
        check_length(&self.space, point)?;
        for basic in &self.basics {
            if basic.contains_point(point, budget).during("contains_point")? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// All points (values of parameters, then of input and output) in lexicographic order, at
    /// most `limit`.
    ///
    /// *Method.* The range of the first column is optimized, or taken from single constraints where that is
    /// narrow; for each value in it the rest is enumerated. This is made for small sets.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map};
    /// let map = Map::parse("{ [i] -> [j] : 0 <= i <= j <= 1 }")?;
    /// let points = map.points(10, &Budget::unlimited())?;
    /// assert_eq!(points, [[0, 0], [0, 1], [1, 1]].map(|pair| pair.map(Int::from).to_vec()));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`] if there are more than `limit` or the budget ends, [`Error::Invalid`] if a
    /// dimension is unbounded.
    pub fn points(&self, limit: usize, budget: &Budget) -> Result<Vec<Vec<Int>>> {
        let mut points = Vec::new();
        for basic in &self.basics {
            let mut prefix = Vec::with_capacity(self.space.n_all());
            if !basic.is_empty(budget).during("points")? {
                enumerate(basic, &mut prefix, limit, &mut points, budget).during("points")?;
            }
            points.sort_unstable();
            points.dedup();
        }
        if points.len() > limit {
            return too_many(budget);
        }
        Ok(points)
    }
}

fn too_many<T>(budget: &Budget) -> Result<T> {
    let method = "listing more points than were asked for";
    let steps = budget.used().max(1);
    Err(Error::Exceeded { operation: "points", method, steps, reached: None })
}

/// The widest range of a column that is taken from single constraints. A wider one is made as narrow as it
/// can be first: an optimum is then found for so many values.
const NARROW: i64 = 16;

fn enumerate(
    basic: &BasicMap,
    prefix: &mut Vec<Int>,
    limit: usize,
    points: &mut Vec<Vec<Int>>,
    budget: &Budget,
) -> Result<()> {
    let column = 1 + prefix.len();
    if column > basic.space().n_all() {
        // Without locals each constraint has been looked at in its last column.
        if basic.locals().is_empty() || !fixed(basic, prefix).is_empty(budget)? {
            points.push(prefix.clone());
        }
        // Pieces may overlap: only far too many points are an error before duplicates are gone.
        return if points.len() > limit.saturating_mul(4) { too_many(budget) } else { Ok(()) };
    }
    let Some((low, high)) = range_of_column(basic, prefix, budget)? else { return Ok(()) };
    let mut value = low;
    while value <= high {
        prefix.push(value.clone());
        enumerate(basic, prefix, limit, points, budget)?;
        prefix.pop();
        value += Int::ONE;
        budget.spend(1, "points")?;
    }
    Ok(())
}

/// The least and greatest value of the column after those of `prefix`; none if there is no value. Each
/// constraint whose last column it is holds for all values between.
fn range_of_column(
    basic: &BasicMap,
    prefix: &[Int],
    budget: &Budget,
) -> Result<Option<(Int, Int)>> {
    let column = 1 + prefix.len();
    if let (Some(low), Some(high)) = bounds_by_constraints(basic, prefix) {
        let is_last = column == basic.space().n_all() && basic.locals().is_empty();
        if is_last || high <= &low + &Int::from(NARROW) {
            return Ok(Some((low, high)));
        }
    }
    // Locals may have gone.
    let basic = fixed(basic, prefix);
    let form = Row::unit(basic.n_columns(), column);
    if basic.plain_is_empty() {
        return Ok(None);
    }
    match (basic.minimum(&form, budget)?, basic.maximum(&form, budget)?) {
        (Optimum::At(low), Optimum::At(high)) => Ok(Some((low, high))),
        (Optimum::Empty, _) | (_, Optimum::Empty) => Ok(None),
        _ => {
            let reason = format!("column {column} of {} is not bounded", basic.space());
            Err(Error::Invalid { operation: "points", reason })
        }
    }
}

/// Bounds on the column after those of `prefix` by constraints that have no column after it.
fn bounds_by_constraints(basic: &BasicMap, prefix: &[Int]) -> (Option<Int>, Option<Int>) {
    let column = 1 + prefix.len();
    let (mut low, mut high): (Option<Int>, Option<Int>) = (None, None);
    let mut bound = |row: &Row, is_equality: bool| {
        let factor = row.get(column);
        if factor.is_zero() || row.first_nonzero(column + 1..row.len()).is_some() {
            return;
        }
        // factor * value + rest >= 0, or = 0.
        let mut rest = row.get(0);
        for (at, value) in prefix.iter().enumerate() {
            rest += &row.get(1 + at) * value;
        }
        let (size, rest_over) = (factor.abs(), -&rest);
        if is_equality || factor.is_positive() {
            let signed = if factor.is_positive() { &rest_over } else { &rest };
            let least = signed.div_ceil(&size);
            low = Some(low.take().map_or(least.clone(), |low| low.max(least)));
        }
        if is_equality || factor.is_negative() {
            let signed = if factor.is_positive() { &rest_over } else { &rest };
            let most = signed.div_floor(&size);
            high = Some(high.take().map_or(most.clone(), |high| high.min(most)));
        }
    };
    basic.equalities().iter().for_each(|row| bound(row, true));
    basic.inequalities().iter().for_each(|row| bound(row, false));
    (low, high)
}

/// The part with given values in the first columns.
fn fixed(basic: &BasicMap, prefix: &[Int]) -> BasicMap {
    prefix.iter().enumerate().fold(basic.clone(), |basic, (at, value)| {
        let mut row = Row::unit(basic.n_columns(), 1 + at);
        row.set(0, -value);
        basic.add_equality(row)
    })
}

impl UnionMap {
    /// One of the pairs as a relation; none if there is no pair.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, UnionMap};
    /// let map = UnionMap::parse("{ S[i] -> A[i] : 2i = 1; T[] -> A[7] }")?;
    /// let pair = map.sample(&Budget::unlimited())?.unwrap();
    /// assert_eq!(Map::from_basic_map(pair).to_string(), "{ T[] -> A[7] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the budget ends.
    pub fn sample(&self, budget: &Budget) -> Result<Option<BasicMap>> {
        for map in &self.maps {
            let sample = map.sample(budget).during("sample")?;
            if !sample.plain_is_empty() {
                return Ok(Some(sample));
            }
        }
        Ok(None)
    }
}

impl UnionSet {
    /// One of the elements as a set; none if there is no element.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set, UnionSet};
    /// let set = UnionSet::parse("{ S[i] : 3 <= 2i <= 4; T[i] : 2 <= 3i <= 2 }")?;
    /// let point = set.sample(&Budget::unlimited())?.unwrap();
    /// assert_eq!(Set::from_basic_set(point).to_string(), "{ S[i = 2] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the budget ends.
    pub fn sample(&self, budget: &Budget) -> Result<Option<BasicSet>> {
        Ok(self.0.sample(budget)?.map(BasicSet))
    }
}

impl Set {
    /// One of the points, see [`Map::sample`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("{ [i, j] : 3i = 2j and 4 <= j <= 5 }")?;
    /// let none = Set::from_basic_set(set.sample(&Budget::unlimited())?);
    /// assert!(none.plain_is_empty());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the budget ends.
    pub fn sample(&self, budget: &Budget) -> Result<BasicSet> {
        self.0.sample(budget).map(BasicSet)
    }

    /// All integer points (values of parameters, then of dimensions) in lexicographic order, at
    /// most `limit`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Set};
    /// let budget = &Budget::unlimited();
    /// let set = Set::parse("{ [i, j] : 0 <= i <= j <= 1 }")?;
    /// let points = set.points(10, budget)?;
    /// assert_eq!(points, [[0, 0], [0, 1], [1, 1]].map(|point| point.map(Int::from).to_vec()));
    /// assert!(set.points(2, budget).is_err());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there are more, if a parameter or dimension is unbounded, or if the budget ends.
    pub fn points(&self, limit: usize, budget: &Budget) -> Result<Vec<Vec<Int>>> {
        self.0.points(limit, budget)
    }

    /// Whether the point (values of parameters then dimensions) is in the set.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Set};
    /// let budget = &Budget::unlimited();
    /// let set = Set::parse("[n] -> { [i] : 0 <= i < n }")?;
    /// assert!(set.contains_point(&[Int::from(8), Int::from(7)], budget)?);
    /// assert!(!set.contains_point(&[Int::from(8), Int::from(8)], budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the budget ends, or if the point has another length.
    pub fn contains_point(&self, point: &[Int], budget: &Budget) -> Result<bool> {
        self.0.contains_point(point, budget)
    }
}
