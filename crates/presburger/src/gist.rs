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
//! Constraints that one constraint of the context implies go first. Inside a context of one piece,
//! one simplex tableau of the context and the piece decides most of the others: an inequality
//! follows, or a vertex with integral values or a ray violates it. The other questions are
//! decided by a point of the context that violates the constraint and only that, or by a search for
//! such a point.
use crate::basic_map::BasicData;
use crate::common_columns::{Adopted, adopt, aligned};
use crate::parametric_lexmin::{negation, tightened};
use crate::point_search::PointSearch;
use crate::simplex::{Removal, floor_inequalities};
use crate::subtract::{data_is_empty, plainly_implies};
use crate::*;

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

    /// Whether it holds at a point, which may have further columns.
    fn holds_at(&self, point: &Row) -> bool {
        let value = padded(&self.row, point.len()).dot(point);
        if self.is_equality { value.is_zero() } else { !value.is_negative() }
    }

    fn add_to(&self, data: &mut BasicData) {
        let row = padded(&self.row, data.n_columns());
        let rows = if self.is_equality { &mut data.equalities } else { &mut data.inequalities };
        rows.push(row);
    }

    /// Whether the constraint obviously follows from a system.
    fn is_plainly_implied(&self, data: &BasicData) -> bool {
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
    let mut data: Option<BasicData> = None;
    for column in 1..piece.offset(DimKind::Local) {
        let Some(value) = common_value(context, column) else { continue };
        let data = data.get_or_insert_with(|| BasicData::clone(&piece.inner));
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

/// A piece of the context over the columns of the piece to simplify and further floors.
struct Inside {
    data: BasicData,
    search: PointSearch,
}

impl Inside {
    fn new(piece: &BasicMap, context: &BasicMap) -> Self {
        let mut data = BasicData::clone(&piece.inner);
        let adopted: Adopted = adopt(&mut data, &context.inner);
        data.equalities = adopted.equalities;
        data.inequalities = adopted.inequalities;
        Inside { search: PointSearch::new(&data), data }
    }

    /// The context and those candidates that are still needed, but for one.
    fn with_others(&self, candidates: &[Candidate], index: usize) -> BasicData {
        let mut system = self.data.clone();
        for (other, candidate) in candidates.iter().enumerate() {
            if other != index && candidate.is_needed {
                candidate.add_to(&mut system);
            }
        }
        system
    }

    /// Whether a candidate follows from the context and the other needed candidates.
    fn follows(&mut self, candidates: &[Candidate], index: usize, budget: &Budget) -> Result<bool> {
        let width = self.data.n_columns();
        let others = || {
            let needed = candidates.iter().enumerate();
            needed.filter(|(other, candidate)| *other != index && candidate.is_needed)
        };
        let mut system = None;
        for violation in candidates[index].violations() {
            let violation = padded(&violation, width);
            match self.search.point_beyond(&violation, budget)? {
                None => continue,
                Some(point) if others().all(|(_, candidate)| candidate.holds_at(point)) => {
                    return Ok(false);
                }
                Some(_) => {}
            }
            let system = system.get_or_insert_with(|| self.with_others(candidates, index));
            system.inequalities.push(violation);
            let is_possible = !data_is_empty(system, budget)?;
            system.inequalities.pop();
            if is_possible {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a column is involved in the candidate and in nothing else that matters.
    fn has_own_column(&self, candidates: &[Candidate], index: usize) -> bool {
        let data = &self.data;
        let row = &candidates[index].row;
        let is_own = |column: usize| {
            !row.is_zero_at(column)
                && data.equalities.iter().all(|other| other.is_zero_at(column))
                && data.inequalities.iter().all(|other| other.is_zero_at(column))
                && data.locals.iter().all(|local| match local {
                    Local::Floor { numerator, .. } => numerator.is_zero_at(column),
                    Local::Unknown => true,
                })
                && candidates.iter().enumerate().all(|(other, candidate)| {
                    other == index || !candidate.is_needed || candidate.row.is_zero_at(column)
                })
        };
        (1..data.offset(DimKind::Local)).any(is_own)
    }

    /// Drops the candidates that follow, where the piece meets the context.
    fn drop_implied(&mut self, candidates: &mut [Candidate], budget: &Budget) -> Result<()> {
        for index in 0..candidates.len() {
            let candidate = &candidates[index];
            if candidate.is_needed && candidate.is_equality {
                let is_implied = !self.has_own_column(candidates, index)
                    && self.follows(candidates, index, budget)?;
                candidates[index].is_needed = !is_implied;
            }
        }
        let mut open: Vec<usize> = (0..candidates.len()).collect();
        open.retain(|&index| candidates[index].is_needed && !candidates[index].is_equality);
        if open.is_empty() {
            return Ok(());
        }
        let (mut tableau, ids) = self.tableau(candidates, &open, budget)?;
        for (index, id) in open.into_iter().zip(ids) {
            candidates[index].is_needed = match tableau.remove_or_violate(id, budget)? {
                Removal::Removed => false,
                Removal::Unlimited | Removal::Violated(true) => true,
                Removal::Violated(false) | Removal::None => {
                    !self.follows(candidates, index, budget)?
                }
            };
        }
        Ok(())
    }

    /// The tableau of the context and the needed candidates, and the inequalities `open` in it.
    fn tableau(
        &self,
        candidates: &[Candidate],
        open: &[usize],
        budget: &Budget,
    ) -> Result<(Tableau, Vec<ConstraintId>)> {
        let width = self.data.n_columns();
        let mut tableau = Tableau::new(width - 1);
        for row in &self.data.equalities {
            tableau.add_equality(row, budget)?;
        }
        for candidate in candidates.iter().filter(|c| c.is_equality && c.is_needed) {
            tableau.add_equality(&padded(&candidate.row, width), budget)?;
        }
        for row in self.data.inequalities.iter().chain(&floor_inequalities(&self.data)) {
            tableau.add_inequality(row, budget)?;
        }
        let add =
            |&index: &usize| tableau.add_inequality(&padded(&candidates[index].row, width), budget);
        let ids = open.iter().map(add).collect::<Result<_>>()?;
        Ok((tableau, ids))
    }
}

/// What is left of a piece inside a context.
enum Gist {
    /// Nothing: the piece does not meet the context.
    Disjoint,
    /// Everything: the context lies in the piece.
    Everywhere,
    Piece(BasicMap),
}

/// The gist of one piece.
fn gist_of_basic(piece: &BasicMap, context: &[BasicMap], budget: &Budget) -> Result<Gist> {
    let piece = &with_values(piece, context);
    if piece.plain_is_empty() {
        return Ok(Gist::Disjoint);
    }
    let mut contexts: Vec<Inside> = context.iter().map(|other| Inside::new(piece, other)).collect();
    let mut candidates: Vec<Candidate> = piece
        .constraints()
        .into_iter()
        .map(|c| Candidate { row: c.row, is_equality: c.is_equality, is_needed: true })
        .collect();
    for candidate in &mut candidates {
        candidate.is_needed = !contexts.iter().all(|c| candidate.is_plainly_implied(&c.data));
    }
    if candidates.iter().all(|candidate| !candidate.is_needed) {
        return Ok(Gist::Everywhere);
    }
    let mut is_met = false;
    for inside in &contexts {
        let both = inside.with_others(&candidates, candidates.len());
        is_met = is_met || !data_is_empty(&both, budget)?;
    }
    if !is_met {
        return Ok(Gist::Disjoint);
    }
    if let [inside] = contexts.as_mut_slice() {
        inside.drop_implied(&mut candidates, budget)?;
    } else {
        for index in 0..candidates.len() {
            let mut is_implied = true;
            for inside in &mut contexts {
                is_implied = is_implied
                    && (candidates[index].is_plainly_implied(&inside.data)
                        || inside.follows(&candidates, index, budget)?);
            }
            candidates[index].is_needed = !is_implied;
        }
    }
    let mut columns = BasicData::clone(&piece.inner);
    columns.equalities.clear();
    columns.inequalities.clear();
    let mut needed = candidates.iter().filter(|candidate| candidate.is_needed).peekable();
    if needed.peek().is_none() {
        return Ok(Gist::Everywhere);
    }
    needed.for_each(|candidate| candidate.add_to(&mut columns));
    Ok(Gist::Piece(BasicMap::from_data(columns)))
}

/// Whether every piece of the context is one of the pieces of the relation.
fn plainly_contains(map: &Map, context: &Map) -> bool {
    let is_piece = |basic: &BasicMap| map.basics.iter().any(|piece| piece.plain_is_equal(basic));
    !context.basics.is_empty() && context.basics.iter().all(is_piece)
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
    /// [`Error::SpaceMismatch`] if the tuples differ, [`Error::Exceeded`].
    pub fn gist(&self, context: &Self, budget: &Budget) -> Result<Self> {
        let (map, context) = aligned(self, context, "gist")?;
        if context.plain_is_universe() {
            return Ok(map.into_owned());
        }
        if context.basics.is_empty() {
            return Ok(Map::empty(map.space.clone()));
        }
        let is_everywhere = map.plain_is_universe()
            || plainly_contains(&map, &context)
            || map.basics.len() > 1 && context.is_subset(&map, budget).during("gist")?;
        if is_everywhere {
            return Ok(Map::universe(map.space.clone()));
        }
        let mut pieces: Vec<BasicMap> = Vec::new();
        for piece in &map.basics {
            let gist = match gist_of_basic(piece, &context.basics, budget).during("gist")? {
                Gist::Disjoint => continue,
                Gist::Everywhere => return Ok(Map::universe(map.space.clone())),
                Gist::Piece(gist) => gist,
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
