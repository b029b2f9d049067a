//! Simplification inside a context.
//!
//! # Method
//! The gist of a piece drops, one by one, the constraints that follow from the context together
//! with the constraints that are still there (Pugh and Wonnacott, "Going beyond integer programming
//! with the Omega test to eliminate false data dependences", 1995, coin the name). A context of
//! several pieces has to imply the constraint in each of them, also in those that the piece does
//! not meet (it must not grow into them). Nothing is added, thus no local is
//! introduced. Pieces that do not meet the context vanish. Dimensions to which the context gives a
//! constant value are replaced by it first: inside `n = 5`, `i < n` is `i < 5`.
//!
//! # Order of the questions
//! First go the constraints that follow from single constraints of the context; since the context
//! implies them, the answers about the others are the same with and without them. A constraint that
//! alone limits a dimension in some direction is needed if the piece meets the context, and stays so.
//! The others are decided in their order, each by a [`PointSearch`] in a piece of the context that
//! the piece meets, restricted to all other constraints that are still there. No constraint is ever
//! taken out of a search, as rows and bounds that were tightened by it would have to go too.
//! Instead, the open constraints are halved: the first half is decided by a copy of the search that
//! is restricted to the second half, then the search itself is restricted to what is left of the
//! first half. This restricts searches `n log n` times, and each answer is exact for integers.
//! Further pieces of the context are asked by a search of their own if a constraint is not needed
//! in the first one.
#[cfg(test)]
mod tests;

use crate::core::align_locals::{Aligned, align_locals, aligned};
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::{BasicRelation, plainly_implies};
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::rows::{negation, tightened};
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::solve::plainly_irredundant::{is_in_floor, limits_alone};
use crate::solve::point_search::PointSearch;
use crate::solve::sample::data_is_empty;
use crate::solve::system::System;
use loopwright_exact::{Int, Row};

/// A constraint of the piece and whether it is still needed.
struct Candidate {
    row: Row,
    is_equality: bool,
    is_needed: bool,
}

impl Candidate {
    /// The inequalities that contradict the constraint.
    fn violations(&self) -> Vec<Row> {
        let mut violations = vec![tightened(&negation(&self.row))];
        if self.is_equality {
            let mut opposite = self.row.clone();
            opposite.negate();
            violations.push(tightened(&negation(&opposite)));
        }
        violations
    }

    /// Restricts a search, which may be over further columns, to where the constraint holds.
    fn restrict(&self, search: &mut PointSearch, budget: &Budget) -> Result<()> {
        let row = padded(&self.row, search.system().width());
        match self.is_equality {
            true => search.add_equality(row, budget),
            false => search.add_inequality(row, budget),
        }
    }

    fn add_to(&self, data: &mut BasicRelation) {
        let row = padded(&self.row, data.n_columns());
        let rows = if self.is_equality { &mut data.equalities } else { &mut data.inequalities };
        rows.push(row);
    }

    /// Whether the constraint obviously follows from a system.
    fn is_plainly_implied(&self, data: &BasicRelation) -> bool {
        let row = padded(&self.row, data.n_columns());
        let mut opposite = row.clone();
        opposite.negate();
        plainly_implies(data, &row) && (!self.is_equality || plainly_implies(data, &opposite))
    }
}

/// The row with zeros for further columns.
fn padded(row: &Row, width: usize) -> Row {
    let mut row = row.clone();
    row.insert_zeros(row.len(), width - row.len());
    row
}

/// The piece with the columns that have one value in all of the context replaced by it.
fn with_values(piece: &BasicMap, context: &[BasicMap]) -> BasicMap {
    let mut data: Option<BasicRelation> = None;
    for column in 1..piece.offset(DimKind::Local) {
        let Some(value) = common_value(context, column) else { continue };
        let data = data.get_or_insert_with(|| BasicRelation::clone(&piece.inner));
        for row in data.rows_mut().filter(|row| !row.is_zero_at(column)) {
            let constant = &row.get(column) * &value;
            row.add_at(0, &constant);
            row.set(column, Int::ZERO);
        }
    }
    data.map_or_else(|| piece.clone(), BasicMap::from_data)
}

/// The value of a column if an equality of every piece gives it, and gives the same.
fn common_value(context: &[BasicMap], column: usize) -> Option<Int> {
    let value_in = |piece: &BasicMap| {
        piece.equalities().iter().find_map(|row| {
            let is_alone = row.first_nonzero(1..row.len()) == Some(column)
                && row.last_nonzero(1..row.len()) == Some(column);
            let (constant, coefficient) = (row.get(0), row.get(column));
            (is_alone && constant.is_divisible_by(&coefficient))
                .then(|| -constant.div_exact(&coefficient))
        })
    };
    let (first, rest) = context.split_first()?;
    let value = value_in(first)?;
    rest.iter().all(|piece| value_in(piece).as_ref() == Some(&value)).then_some(value)
}

/// The gist of one piece; none if it does not meet the context.
fn gist_of_basic(
    piece: &BasicMap,
    context: &[BasicMap],
    budget: &Budget,
) -> Result<Option<BasicMap>> {
    let piece = &with_values(piece, context);
    if piece.plain_is_empty() || context.is_empty() {
        return Ok(None);
    }
    let contexts: Vec<BasicRelation> = context.iter().map(|other| inside(piece, other)).collect();
    let mut candidates: Vec<Candidate> = piece
        .constraints()
        .into_iter()
        .map(|c| Candidate { row: c.row, is_equality: c.is_equality, is_needed: true })
        .collect();
    for candidate in &mut candidates {
        candidate.is_needed = !contexts.iter().all(|base| candidate.is_plainly_implied(base));
    }
    if candidates.iter().any(|candidate| candidate.is_needed) {
        let Some((met, point)) = met_context(&contexts, &candidates, budget)? else {
            return Ok(None);
        };
        candidates = Choice { candidates, contexts: &contexts, met }.needed(point, budget)?;
    }
    let mut data = BasicRelation::clone(&piece.inner);
    data.equalities.clear();
    data.inequalities.clear();
    for candidate in candidates.iter().filter(|candidate| candidate.is_needed) {
        candidate.add_to(&mut data);
    }
    Ok(Some(BasicMap::from_data(data)))
}

/// A piece of the context over the columns of the piece to simplify and further floors.
fn inside(piece: &BasicMap, context: &BasicMap) -> BasicRelation {
    let mut data = BasicRelation::clone(&piece.inner);
    let adopted: Aligned = align_locals(&mut data, &context.inner);
    data.equalities = adopted.equalities;
    data.inequalities = adopted.inequalities;
    data
}

/// The first piece of the context that has a point of the piece, and such a point.
fn met_context(
    contexts: &[BasicRelation],
    candidates: &[Candidate],
    budget: &Budget,
) -> Result<Option<(usize, Row)>> {
    for (index, context) in contexts.iter().enumerate() {
        let mut both = System::from_data(context);
        for candidate in candidates.iter().filter(|candidate| candidate.is_needed) {
            let row = padded(&candidate.row, context.n_columns());
            match candidate.is_equality {
                true => both.equalities.push(row),
                false => both.inequalities.push(row),
            }
        }
        if !context.empty
            && let Some(point) = both.find_point(budget)?
        {
            return Ok(Some((index, point)));
        }
    }
    Ok(None)
}

/// The constraints of the piece that are still there, and the pieces of the context.
struct Choice<'a> {
    candidates: Vec<Candidate>,
    contexts: &'a [BasicRelation],
    /// A piece of the context that has a point of the piece.
    met: usize,
}

impl Choice<'_> {
    /// The candidates, where those are not needed that follow from the context and the others;
    /// all hold at the given point of the context.
    fn needed(mut self, point: Row, budget: &Budget) -> Result<Vec<Candidate>> {
        let needed = 0..self.candidates.len();
        let needed = needed.filter(|&index| self.candidates[index].is_needed);
        let (sure, open): (Vec<usize>, Vec<usize>) = needed.partition(|&i| self.is_alone(i));
        if !open.is_empty() {
            let mut search = PointSearch::new(&self.contexts[self.met]);
            search.keep(Some(point));
            for index in sure {
                self.candidates[index].restrict(&mut search, budget)?;
            }
            self.decide(&open, search, budget)?;
        }
        Ok(self.candidates)
    }

    /// Decides some candidates one after the other. The search is restricted to the others that are
    /// still needed.
    fn decide(&mut self, open: &[usize], mut search: PointSearch, budget: &Budget) -> Result<()> {
        if let &[index] = open {
            self.candidates[index].is_needed = !self.follows(index, &mut search, budget)?;
            return Ok(());
        }
        let (first, second) = open.split_at(open.len() / 2);
        search.tableau(budget)?;
        let mut part = search.clone();
        for &index in second {
            self.candidates[index].restrict(&mut part, budget)?;
        }
        self.decide(first, part, budget)?;
        for &index in first.iter().filter(|&&index| self.candidates[index].is_needed) {
            self.candidates[index].restrict(&mut search, budget)?;
        }
        self.decide(second, search, budget)
    }

    /// Whether a candidate follows from each piece of the context and the other needed candidates.
    fn follows(&self, index: usize, met: &mut PointSearch, budget: &Budget) -> Result<bool> {
        if self.is_alone(index) {
            return Ok(false);
        }
        let width = met.system().width();
        for violation in self.candidates[index].violations() {
            if met.is_possible(&padded(&violation, width), budget)? {
                return Ok(false);
            }
        }
        for (at, context) in self.contexts.iter().enumerate() {
            if at != self.met && !follows(&self.candidates, index, context, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a candidate alone limits some dimension: then it is needed, since there is a point
    /// that satisfies everything.
    fn is_alone(&self, index: usize) -> bool {
        let candidate = &self.candidates[index];
        let context = &self.contexts[self.met];
        let needed = self.candidates.iter().enumerate();
        let others = needed.filter(|(other, candidate)| *other != index && candidate.is_needed);
        let rows = |is_equality: bool| {
            let others = others.clone().filter(move |(_, other)| other.is_equality == is_equality);
            others.map(|(_, other)| &other.row)
        };
        let is_pinned = |column: usize| {
            let mut equalities = context.equalities.iter().chain(rows(true));
            equalities.any(|row| !row.is_zero_at(column)) || is_in_floor(context, column)
        };
        let inequalities = context.inequalities.iter().chain(rows(false));
        let n_columns = context.offset(DimKind::Local);
        limits_alone(&candidate.row, candidate.is_equality, is_pinned, inequalities, n_columns)
    }
}

/// Whether a candidate follows from one piece of the context and the other needed candidates.
fn follows(
    candidates: &[Candidate],
    index: usize,
    context: &BasicRelation,
    budget: &Budget,
) -> Result<bool> {
    if candidates[index].is_plainly_implied(context) {
        return Ok(true);
    }
    let mut system = context.clone();
    for (other, candidate) in candidates.iter().enumerate() {
        if other != index && candidate.is_needed {
            candidate.add_to(&mut system);
        }
    }
    for violation in candidates[index].violations() {
        system.inequalities.push(padded(&violation, system.n_columns()));
        let is_possible = !data_is_empty(&system, budget)?;
        system.inequalities.pop();
        if is_possible {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Map {
    /// A cheaper description that equals `self` inside `context`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ S[i] -> A[x] : 0 <= i <= x }")?;
    /// let known = Map::parse("{ S[i] -> A[x] : i >= 0 }")?;
    /// assert_eq!(
    ///     map.gist(&known, &Budget::unlimited())?.to_string(),
    ///     "{ S[i] -> A[x] : x >= i }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if the tuples differ,
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        let (map, context) = aligned(self, context, "gist")?;
        if context.plain_is_universe() {
            return Ok(map.into_owned());
        }
        if map.plain_is_universe() && !context.basics.is_empty() {
            return Ok(Map::universe(map.space.clone()));
        }
        if map.basics.len() > 1 && context.is_subset(&map, budget).during("gist")? {
            return Ok(Map::universe(map.space.clone()));
        }
        let mut pieces: Vec<BasicMap> = Vec::new();
        for piece in &map.basics {
            let Some(gist) = gist_of_basic(piece, &context.basics, budget).during("gist")? else {
                continue;
            };
            if !pieces.iter().any(|other| other.plain_is_equal(&gist)) {
                pieces.push(gist);
            }
        }
        Ok(Map::from_basic_maps(map.space.clone(), pieces))
    }

    /// The gist with respect to a set of parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let map = Map::parse("[n] -> { S[i] -> A[i] : i < n and n > 3 }")?;
    /// let known = Set::parse("[n] -> { : n > 5 }")?;
    /// let simpler = map.gist_params(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "[n] -> { S[i] -> A[i] : i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::gist`].
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.gist(
            &Map::universe(self.space.clone()).intersect_params_within(context, budget)?,
            budget,
        )
        .during("gist_params")
    }

    /// The gist inside a domain.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let map = Map::parse("{ S[i] -> A[x] : 0 <= i <= x }")?;
    /// let known = Set::parse("{ S[i] : i >= 0 }")?;
    /// let simpler = map.gist_domain(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "{ S[i] -> A[x] : x >= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::gist`].
    pub fn gist_domain(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.gist(
            &Map::universe(self.space.clone()).intersect_domain_within(context, budget)?,
            budget,
        )
        .during("gist_domain")
    }

    /// The gist inside a range.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let map = Map::parse("{ S[i] -> A[x] : 0 <= x <= i }")?;
    /// let known = Set::parse("{ A[x] : x >= 0 }")?;
    /// let simpler = map.gist_range(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "{ S[i] -> A[x] : x <= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::gist`].
    pub fn gist_range(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.gist(
            &Map::universe(self.space.clone()).intersect_range_within(context, budget)?,
            budget,
        )
        .during("gist_range")
    }
}

impl Set {
    /// A cheaper description that equals `self` inside `context`, see [`Map::gist`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("{ [i] : 0 <= i <= 9 and i mod 2 = 0 }")?;
    /// let even = Set::parse("{ [i] : i mod 4 = 2 and i <= 9 }")?;
    /// assert_eq!(set.gist(&even, &Budget::unlimited())?.to_string(), "{ [i] : i >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::gist`].
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        self.0.gist(&context.0, budget).map(Set)
    }

    /// The gist with respect to a set of parameters, see [`Map::gist_params`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { [i] : 0 <= i < n and n > 3 }")?;
    /// let known = Set::parse("[n] -> { : n > 5 }")?;
    /// let simpler = set.gist_params(&known, &Budget::unlimited())?;
    /// assert_eq!(simpler.to_string(), "[n] -> { [i] : 0 <= i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::gist_params`].
    pub fn gist_params(&self, context: &Set, budget: &Budget) -> Result<Self> {
        self.0.gist_params(context, budget).map(Set)
    }
}
