//! Removing constraints that follow from others, and making implicit equalities explicit.
//!
//! Both keep one simplex tableau for all questions about a basic relation. An inequality
//! `f >= 0` follows from the others at integer points if `f > -1` at all rational points that
//! satisfy these. It is an implicit equality if the maximum of `f` is zero.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::{BasicRelation, floor_inequalities};
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::{Map, Pieces};
use crate::core::set::Set;
use crate::solve::plainly_irredundant::{limits_alone, pinned_columns};
use crate::solve::simplex::{ConstraintId, Tableau};
use crate::solve::system::System;
use loopwright_exact::Row;

/// What may be spent on the inequalities of a projection.
const STEPS_FOR_COMBINATIONS: u64 = 1 << 14;

/// A tableau of a basic relation and its inequalities in it.
struct Workspace {
    tableau: Tableau,
    /// Of the inequalities in their order.
    inequalities: Vec<ConstraintId>,
    /// Of the floors: the constraint and its row.
    floors: Vec<(ConstraintId, Row)>,
}

impl Workspace {
    fn new(map: &BasicMap, budget: &Budget) -> Result<Self> {
        let mut tableau = Tableau::new(map.n_columns() - 1);
        for row in map.equalities() {
            tableau.add_equality(row, budget)?;
        }
        let mut inequalities = Vec::with_capacity(map.inequalities().len());
        for row in map.inequalities() {
            inequalities.push(tableau.add_inequality(row, budget)?);
        }
        let mut floors = Vec::new();
        for row in floor_inequalities(&map.inner) {
            floors.push((tableau.add_inequality(&row, budget)?, row));
        }
        Ok(Workspace { tableau, inequalities, floors })
    }
}

impl BasicMap {
    /// The same points without inequalities that follow from the other constraints.
    ///
    /// Inequalities with many coefficients are removed rather than those with few. Costs one
    /// minimization per inequality, most of which end with the first sample; none for inequalities
    /// that alone limit a dimension in one direction.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j] : i >= 0 and j >= i and i + j >= -3 }")?;
    /// let short = map.basic_maps()[0].remove_redundancies(&Budget::unlimited())?;
    /// assert_eq!(short.inequalities().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<BasicMap> {
        self.remove_redundant_among(|_| true, budget).during("remove_redundancies")
    }

    /// The same, where only some inequalities may be removed.
    fn remove_redundant_among(
        &self,
        is_candidate: impl Fn(&Row) -> bool,
        budget: &Budget,
    ) -> Result<BasicMap> {
        if self.plain_is_empty() || self.inequalities().is_empty() {
            return Ok(self.clone());
        }
        if self.inequalities().len() == 1 && self.locals().is_empty() {
            return Ok(self.clone());
        }
        let rows = self.inequalities();
        let pinned = pinned_columns(&self.inner);
        let is_pinned = |column: usize| pinned[column];
        let sole = |row: &Row| limits_alone(row, false, is_pinned, rows.iter(), pinned.len());
        let is_asked = |&i: &usize| is_candidate(&rows[i]) && !sole(&rows[i]);
        let mut order: Vec<usize> = (0..rows.len()).filter(is_asked).collect();
        if order.is_empty() && self.has_plain_point() {
            return Ok(self.clone());
        }
        let mut work = Workspace::new(self, budget)?;
        if work.tableau.is_empty() {
            return Ok(BasicMap::empty(self.space().clone()));
        }
        let weight = |row: &Row| (1..row.len()).filter(|&i| !row.is_zero_at(i)).count();
        order.sort_by_key(|&i| std::cmp::Reverse(weight(&rows[i])));
        let mut redundant = vec![false; rows.len()];
        for i in order {
            redundant[i] = work.tableau.remove_if_redundant(work.inequalities[i], budget)?;
        }
        if !redundant.contains(&true) {
            return Ok(self.clone());
        }
        let mut data = (*self.inner).clone();
        let mut position = 0..;
        data.inequalities.retain(|_| !redundant[position.next().unwrap_or_default()]);
        Ok(BasicMap::from_normal_data(data))
    }

    /// Whether a point without locals is easily found.
    fn has_plain_point(&self) -> bool {
        let width = self.n_columns();
        let system = || System::from_basic_map(self);
        self.locals().is_empty() && system().guess_point(0, width, |_| {}).is_some()
    }

    /// Brings a system with unknowns into normal form. Inequalities that follow from others are
    /// left out if they have come from combining the bounds of unknowns: most of them do, and
    /// those that there were before hardly ever do.
    pub(crate) fn from_projection(mut data: BasicRelation) -> BasicMap {
        let n_dims = data.n_columns() - data.locals.len();
        let has_locals = |row: &Row| row.first_nonzero(n_dims..row.len()).is_some();
        let mut before: Option<Vec<Row>> = None;
        data.simplify_noting(&mut |rows| {
            before.get_or_insert_with(|| {
                let rows = rows.iter().filter(|row| !has_locals(row));
                rows.map(|row| row.slice(0..n_dims)).collect()
            });
        });
        let map = BasicMap::from_normal_data(data);
        let Some(before) = before else { return map };
        let is_new = |row: &Row| has_locals(row) || !before.contains(&row.slice(0..n_dims));
        if !map.inequalities().iter().any(is_new) {
            return map;
        }
        let budget = Budget::steps(STEPS_FOR_COMBINATIONS);
        map.remove_redundant_among(is_new, &budget).unwrap_or(map)
    }

    /// The same points with every inequality that is zero at all rational points turned into an
    /// equality, repeatedly if the equalities tighten others.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i, j] -> [k] : i <= j <= k <= i }")?;
    /// let line = map.basic_maps()[0].detect_equalities(&Budget::unlimited())?;
    /// assert_eq!(line.equalities().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn detect_equalities(&self, budget: &Budget) -> Result<BasicMap> {
        let mut map = self.clone();
        loop {
            if map.plain_is_empty() || map.inequalities().is_empty() && map.locals().is_empty() {
                return Ok(map);
            }
            match map.implicit_equalities(budget).during("detect_equalities")? {
                None => return Ok(BasicMap::empty(self.space().clone())),
                Some(rows) if rows.is_empty() => return Ok(map),
                Some(rows) => {
                    let mut data = (*map.inner).clone();
                    let n_before = (data.equalities.len(), data.inequalities.len());
                    data.inequalities.retain(|row| !rows.contains(row));
                    data.equalities.extend(rows);
                    map = BasicMap::from_data(data);
                    let n_after = (map.equalities().len(), map.inequalities().len());
                    if n_before == n_after {
                        return Ok(map);
                    }
                }
            }
        }
    }

    /// The inequalities (also of floors) that are zero at all rational points, or none if there is
    /// no rational point. Those of floors that the equalities already contain are left out.
    pub(crate) fn implicit_equalities(&self, budget: &Budget) -> Result<Option<Vec<Row>>> {
        let mut work = Workspace::new(self, budget)?;
        if work.tableau.is_empty() {
            return Ok(None);
        }
        let mut found = Vec::new();
        for (id, row) in work.inequalities.iter().zip(self.inequalities()) {
            if work.tableau.fix_if_always_zero(*id, budget)? {
                found.push(row.clone());
            }
        }
        if work.floors.is_empty() {
            return Ok(Some(found));
        }
        // What the equalities known by now say needs no repetition.
        let mut known = Tableau::new(self.n_columns() - 1);
        for row in self.equalities().iter().chain(&found) {
            known.add_equality(row, budget)?;
        }
        for (id, row) in &work.floors {
            if work.tableau.fix_if_always_zero(*id, budget)?
                && !known.implies_equality(row, budget)?
            {
                known.add_equality(row, budget)?;
                found.push(row.clone());
            }
        }
        Ok(Some(found))
    }
}

impl Map {
    /// The same without constraints that follow from others.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j] : 0 <= i <= j and i + j >= -3 }")?;
    /// let short = map.remove_redundancies(&Budget::unlimited())?;
    /// assert_eq!(short.to_string(), "{ [i] -> [j] : i >= 0 and j >= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn remove_redundancies(&self, budget: &Budget) -> Result<Self> {
        self.try_map_basics(|basic| basic.remove_redundancies(budget)).during("remove_redundancies")
    }

    /// The same with implicit equalities made explicit.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i, j] -> [k] : i <= j <= k <= i }")?;
    /// let explicit = map.detect_equalities(&Budget::unlimited())?;
    /// assert_eq!(explicit.to_string(), "{ [i, j = i] -> [k = i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn detect_equalities(&self, budget: &Budget) -> Result<Self> {
        self.try_map_basics(|basic| basic.detect_equalities(budget)).during("detect_equalities")
    }

    /// Replaces every basic relation; empty ones are dropped.
    fn try_map_basics(&self, change: impl Fn(&BasicMap) -> Result<BasicMap>) -> Result<Self> {
        let mut basics = Pieces::with_capacity(self.basics.len());
        for basic in &self.basics {
            let changed = change(basic)?;
            if !changed.plain_is_empty() {
                basics.push(changed);
            }
        }
        Ok(Map { space: self.space.clone(), basics })
    }
}

impl Set {
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
}
