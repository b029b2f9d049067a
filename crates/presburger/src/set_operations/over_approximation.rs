//! Cheap over-approximations: dropping constraints, removing locals.
//!
//! Removing a local keeps what Fourier and Motzkin's method derives about the other columns, with
//! constants rounded to integers afterwards; congruences are lost. All points stay.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::map::Map;
use crate::core::normal_form::step::Step;
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::set_operations::project::dim_columns;
use loopwright_exact::{Int, Row};

/// A column is dropped with its constraints if its bounds have more pairs than this, also after
/// the redundant ones are gone.
const MAX_PAIRS: usize = 256;

/// Redundant constraints are looked for before more pairs than this are combined.
const MANY_PAIRS: usize = 32;

/// Steps of one search for redundant constraints.
const REDUNDANCY_STEPS: u64 = 100_000;

impl BasicMap {
    /// Whether a constraint (or a floor used) involves the dimensions.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("{ [i, j] -> [k] : k > i }")?;
    /// let basic = &map.basic_maps()[0];
    /// assert!(basic.involves_dims(DimKind::In, 0, 1) && !basic.involves_dims(DimKind::In, 1, 1));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        let columns = dim_columns(self.space(), kind, first, count);
        let data = &self.inner;
        let uses = |row: &Row| row.first_nonzero(columns.clone()).is_some();
        let numerators = data.locals.iter().filter_map(Local::numerator);
        data.equalities.iter().chain(&data.inequalities).chain(numerators).any(uses)
    }

    /// Which locals use one of the columns, directly or through floors.
    fn locals_using(&self, columns: std::ops::Range<usize>) -> Vec<bool> {
        let first = self.offset(DimKind::Local);
        let mut uses: Vec<bool> = Vec::with_capacity(self.locals().len());
        for local in self.locals() {
            uses.push(local.numerator().is_some_and(|numerator| {
                numerator.first_nonzero(columns.clone()).is_some()
                    || (0..uses.len()).any(|i| uses[i] && !numerator.is_zero_at(first + i))
            }));
        }
        uses
    }

    /// Drops every constraint that involves the dimensions (over-approximation).
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("{ [i, j] -> [k] : k > i and 0 <= j <= 9 }")?;
    /// let outer = map.basic_maps()[0].drop_constraints_involving_dims(DimKind::Out, 0, 1);
    /// assert_eq!(Map::from_basic_map(outer).to_string(), "{ [i, j] -> [k] : 0 <= j <= 9 }");
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
        let columns = dim_columns(self.space(), kind, first, count);
        let locals = self.locals_using(columns.clone());
        let first_local = self.offset(DimKind::Local);
        let free = |row: &Row| {
            row.first_nonzero(columns.clone()).is_none()
                && (0..locals.len()).all(|i| !locals[i] || row.is_zero_at(first_local + i))
        };
        let mut data = (*self.inner).clone();
        data.equalities.retain(free);
        data.inequalities.retain(free);
        BasicMap::from_data(data)
    }

    /// An over-approximation without those locals for which `remove` holds (and without floors
    /// that use them).
    fn without_locals(&self, remove: &[bool]) -> Self {
        if !remove.contains(&true) {
            return self.clone();
        }
        let first = self.offset(DimKind::Local);
        let mut remove = remove.to_vec();
        for (index, local) in self.locals().iter().enumerate() {
            let uses = |row: &Row| (0..index).any(|i| remove[i] && !row.is_zero_at(first + i));
            remove[index] |= local.numerator().is_some_and(uses);
        }
        let mut data = (*self.inner).clone();
        for index in (0..remove.len()).filter(|&index| remove[index]) {
            data.expand_floor(index);
        }
        let mut columns: Vec<usize> =
            (0..remove.len()).filter(|&index| remove[index]).map(|index| first + index).collect();
        while let Some(place) = (0..columns.len()).min_by_key(|&i| data.n_pairs(columns[i])) {
            let column = columns.remove(place);
            if data.n_pairs(column) > MANY_PAIRS {
                let simpler = without_redundancies(data);
                if simpler.plain_is_empty() {
                    return BasicMap::empty(self.space().clone());
                }
                data = BasicRelation::clone(&simpler.inner);
            }
            data.eliminate_rationally(column);
        }
        BasicMap::from_data(data)
    }
}

/// The system without redundant inequalities, or as it is if they are expensive to find.
fn without_redundancies(data: BasicRelation) -> BasicMap {
    let map = BasicMap::from_normal_data(data);
    map.remove_redundancies(&Budget::steps(REDUNDANCY_STEPS)).unwrap_or(map)
}

impl BasicRelation {
    /// How many inequalities Fourier and Motzkin's method makes from the bounds of a column.
    fn n_pairs(&self, column: usize) -> usize {
        if self.equalities.iter().any(|row| !row.is_zero_at(column)) {
            return 0;
        }
        let count = |sign| self.inequalities.iter().filter(|row| row.sign(column) == sign).count();
        count(1) * count(-1)
    }

    /// Removes a column by Fourier and Motzkin's method (or with its constraints, if there are
    /// too many pairs of bounds).
    fn eliminate_rationally(&mut self, column: usize) {
        if let Some(position) = self.equalities.iter().position(|row| !row.is_zero_at(column)) {
            let row = self.equalities.remove(position);
            return self.substitute(column, &row);
        }
        let rows = std::mem::take(&mut self.inequalities);
        let (bounds, kept): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|row| !row.is_zero_at(column));
        self.inequalities = kept;
        let (lower, upper): (Vec<Row>, Vec<Row>) =
            bounds.into_iter().partition(|row| row.sign(column) > 0);
        if lower.len() * upper.len() > MAX_PAIRS {
            return;
        }
        for low in &lower {
            for high in &upper {
                let mut row = low.clone();
                row.eliminate(column, high);
                self.inequalities.push(row);
            }
        }
        // A contradiction is found again when the result is normalized.
        if self.normalize_inequalities() == Step::Contradiction {
            self.set_empty_in_place();
        }
    }

    /// Adds the constraint `-1 >= 0`; the columns stay.
    fn set_empty_in_place(&mut self) {
        let mut row = Row::zeros(self.n_columns());
        row.set(0, Int::from(-1));
        self.inequalities.push(row);
    }
}

impl Map {
    /// Drops every constraint that involves the dimensions (over-approximation).
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("{ [i] -> [j] : 0 <= j <= i and i <= 9 }")?;
    /// let outer = map.drop_constraints_involving_dims(DimKind::In, 0, 1);
    /// assert_eq!(outer.to_string(), "{ [i] -> [j] : j >= 0 }");
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
        self.map_basics(self.space.clone(), |basic| {
            basic.drop_constraints_involving_dims(kind, first, count)
        })
    }

    /// Whether a constraint (or a floor used) involves the dimensions.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("[n] -> { [i] -> [j] : j > i }")?;
    /// assert!(map.involves_dims(DimKind::Out, 0, 1) && !map.involves_dims(DimKind::Param, 0, 1));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn involves_dims(&self, kind: DimKind, first: usize, count: usize) -> bool {
        self.basics.iter().any(|basic| basic.involves_dims(kind, first, count))
    }

    /// An over-approximation without any locals (Fourier-Motzkin with integer tightening).
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ [i] -> [j] : i <= j <= i + 9 and (j - i) mod 3 = 0 }")?;
    /// assert_eq!(map.remove_locals().to_string(), "{ [i] -> [j] : i <= j <= 9 + i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn remove_locals(&self) -> Self {
        self.map_basics(self.space.clone(), |basic| {
            basic.without_locals(&vec![true; basic.locals().len()])
        })
    }

    /// An over-approximation without unknown existentials.
    ///
    /// ```
    /// # use loopwright_presburger::Map;
    /// let map = Map::parse("{ [i] -> [j] : j mod 2 = 0 and exists e: 2e <= j <= 2e + i - 3 }")?;
    /// assert_eq!(
    ///     map.remove_unknown_locals().to_string(),
    ///     "{ [i] -> [j] : (j) mod 2 = 0 and i >= 3 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn remove_unknown_locals(&self) -> Self {
        self.map_basics(self.space.clone(), |basic| {
            let unknown = basic.locals().iter().map(|local| *local == Local::Unknown);
            basic.without_locals(&unknown.collect::<Vec<bool>>())
        })
    }

    /// An over-approximation without floors that involve the given dimensions.
    ///
    /// ```
    /// # use loopwright_presburger::{DimKind, Map};
    /// let map = Map::parse("{ [i] -> [j] : i mod 2 = 0 and j mod 3 = 0 }")?;
    /// let outer = map.remove_locals_involving_dims(DimKind::In, 0, 1);
    /// assert_eq!(outer.to_string(), "{ [i] -> [j] : (j) mod 3 = 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there are no such dimensions.
    pub fn remove_locals_involving_dims(&self, kind: DimKind, first: usize, count: usize) -> Self {
        let columns = dim_columns(&self.space, kind, first, count);
        self.map_basics(self.space.clone(), |basic| {
            basic.without_locals(&basic.locals_using(columns.clone()))
        })
    }
}

impl Set {
    /// Whether a dimension has a lower and an upper bound for every value of the parameters.
    ///
    /// *Method.* The other dimensions are projected out and the locals removed rationally, which
    /// keeps bounds; then both directions must occur in every piece. A piece that is empty
    /// without being known to be may count as unbounded.
    ///
    /// ```
    /// # use loopwright_presburger::Set;
    /// let set = Set::parse("[n] -> { [i, j] : 0 <= i <= n and j >= i }")?;
    /// assert!(set.dim_is_bounded(0) && !set.dim_is_bounded(1));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn dim_is_bounded(&self, position: usize) -> bool {
        let after = self.n_dims() - position - 1;
        let line = self.project_out(DimKind::Out, position + 1, after);
        let line = line.project_out(DimKind::Out, 0, position).remove_locals();
        line.0.basics.iter().all(|basic| {
            let column = basic.offset(DimKind::Out);
            let has = |sign| basic.inequalities().iter().any(|row| row.sign(column) == sign);
            basic.equalities().iter().any(|row| !row.is_zero_at(column)) || (has(1) && has(-1))
        })
    }
}

impl Set {
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
}
