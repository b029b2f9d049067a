//! Lexicographic optima of relations and sets as functions of the domain and the parameters.
//!
//! # Method
//! For one basic relation, the columns that are functions of the symbols without any case
//! distinction are found first ([`ExplicitColumns`]); if these are all output dimensions, the
//! result is the relation with their values added. Otherwise the rest is solved by parametric
//! integer programming ([`crate::lexmin::parametric_lexmin`]), where the output dimensions come first in
//! the objective, then the locals that are not functions of the symbols. The maximum is the
//! minimum of the relation with negated output dimensions.
//!
//! For a union, the minima of the pieces are compared ([`crate::lexmin::pointwise_optimum`]).
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::{BasicRelation, plainly_implies};
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::lexmin::explicit_locals::ExplicitColumns;
use crate::lexmin::lexmin_problem::{Direction, minimize};
use crate::lexmin::pointwise_optimum::best_of_groups;
use loopwright_exact::Row;

/// The optimum of one basic relation, in pieces with disjoint domains, not normalized: in this form
/// every output follows from an equality, which the normal form may replace by a congruence.
pub(crate) fn optimum_of_basic(
    basic: &BasicMap,
    direction: Direction,
    budget: &Budget,
) -> Result<Vec<BasicRelation>> {
    if basic.plain_is_empty() {
        return Ok(Vec::new());
    }
    let first_output = basic.offset(DimKind::Out);
    let outputs = first_output..first_output + basic.n(DimKind::Out);
    let mut data = BasicRelation::clone(&basic.inner);
    if direction == Direction::Greatest {
        negate_columns(&mut data, outputs.clone());
    }
    let columns = ExplicitColumns::new(data, first_output);
    let has_values = columns.has_determined_outputs();
    let data = columns.into_ordered_data();
    let mut parts = if has_values { vec![data] } else { minimize(data, first_output, budget)? };
    if direction == Direction::Greatest {
        for part in &mut parts {
            negate_columns(part, outputs.clone());
        }
    }
    Ok(parts)
}

fn negate_columns(data: &mut BasicRelation, columns: std::ops::Range<usize>) {
    for row in data.rows_mut() {
        for column in columns.clone() {
            if !row.is_zero_at(column) {
                row.set(column, -row.get(column));
            }
        }
    }
}

/// The optimum of a union.
fn optimum(map: &Map, direction: Direction, budget: &Budget) -> Result<Map> {
    let mut groups = Vec::new();
    for basic in &map.basics {
        let parts = optimum_of_basic(basic, direction, budget)?;
        let parts = Map::collect(map.space.clone(), parts.into_iter().map(BasicMap::from_data));
        if !parts.plain_is_empty() {
            groups.push(parts);
        }
    }
    if groups.len() <= 1 {
        return Ok(groups.pop().unwrap_or_else(|| Map::empty(map.space.clone())));
    }
    best_of_groups(&groups, direction, budget)
}

impl Map {
    /// The images x -> smallest y, in lexicographic order, as an explicit piecewise relation: the
    /// domains of the pieces are disjoint.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("[n] -> { [i] -> [j] : i <= 2j and 0 <= j < n }").unwrap();
    /// let least = map.lexmin(&Budget::unlimited()).unwrap();
    /// assert!(least.is_single_valued(&Budget::unlimited()).unwrap());
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if a domain element has images, but no smallest one;
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> {
        optimum(self, Direction::Least, budget).during("lexmin")
    }

    /// The greatest images, see [`Map::lexmin`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("[n] -> { [i] -> [j] : 0 <= j <= i and j < n }")?;
    /// assert_eq!(
    ///     map.lexmax(&Budget::unlimited())?.to_string(),
    ///     "[n] -> { [i] -> [j = i] : 0 <= i < n; [i] -> [j = -1 + n] : n > 0 and i >= n and i >= 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> {
        optimum(self, Direction::Greatest, budget).during("lexmax")
    }

    /// The lexicographically smallest images for domain elements in `domain`, and the part of
    /// `domain` without image.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let map = Map::parse("{ [i] -> [j] : j >= i and i <= 3 }")?;
    /// let domain = Set::parse("{ [i] : 0 <= i <= 9 }")?;
    /// let (least, rest) = map.partial_lexmin(&domain, &Budget::unlimited())?;
    /// assert_eq!(least.to_string(), "{ [i] -> [j = i] : 0 <= i <= 3 }");
    /// assert_eq!(rest.to_string(), "{ [i] : 4 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`]; [`Error::SpaceMismatch`](crate::Error::SpaceMismatch) if `domain` is in
    /// another space.
    pub fn partial_lexmin(&self, domain: &Set, budget: &Budget) -> Result<(Self, Set)> {
        partial_optimum(self, domain, Direction::Least, budget).during("partial_lexmin")
    }

    /// The lexicographically greatest images for `domain`, and the part of it without image.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let map = Map::parse("{ [i] -> [j] : j <= i and i <= 3 }")?;
    /// let domain = Set::parse("{ [i] : 0 <= i <= 9 }")?;
    /// let (greatest, rest) = map.partial_lexmax(&domain, &Budget::unlimited())?;
    /// assert_eq!(greatest.to_string(), "{ [i] -> [j = i] : 0 <= i <= 3 }");
    /// assert_eq!(rest.to_string(), "{ [i] : 4 <= i <= 9 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::partial_lexmin`].
    pub fn partial_lexmax(&self, domain: &Set, budget: &Budget) -> Result<(Self, Set)> {
        partial_optimum(self, domain, Direction::Greatest, budget).during("partial_lexmax")
    }
}

impl Set {
    /// The smallest elements for parameter values in `params`, and the part of these without
    /// element.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { [i] : 0 <= i < n }")?;
    /// let params = Set::parse("[n] -> { : -5 <= n <= 5 }")?;
    /// let (least, rest) = set.partial_lexmin(&params, &Budget::unlimited())?;
    /// assert_eq!(least.to_string(), "[n] -> { [i = 0] : 0 < n <= 5 }");
    /// assert_eq!(rest.to_string(), "[n] -> { : -5 <= n <= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::partial_lexmin`].
    pub fn partial_lexmin(&self, params: &Set, budget: &Budget) -> Result<(Self, Set)> {
        partial_optimum(&self.0, params, Direction::Least, budget)
            .map(|(s, rest)| (Set(s), rest))
            .during("partial_lexmin")
    }

    /// The greatest elements for parameter values in `params`, and the part of these without
    /// element.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { [i] : 0 <= i < n }")?;
    /// let params = Set::parse("[n] -> { : -5 <= n <= 5 }")?;
    /// let (greatest, rest) = set.partial_lexmax(&params, &Budget::unlimited())?;
    /// assert_eq!(greatest.to_string(), "[n] -> { [i = -1 + n] : 0 < n <= 5 }");
    /// assert_eq!(rest.to_string(), "[n] -> { : -5 <= n <= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::partial_lexmin`].
    pub fn partial_lexmax(&self, params: &Set, budget: &Budget) -> Result<(Self, Set)> {
        partial_optimum(&self.0, params, Direction::Greatest, budget)
            .map(|(s, rest)| (Set(s), rest))
            .during("partial_lexmax")
    }
}

/// Whether single constraints of the pieces of a relation, after its equalities, show that it only
/// has domain elements in `domain`.
fn lies_plainly_in(map: &Map, domain: &Set) -> bool {
    let (space, place) = (&map.space, &domain.0.space);
    if !space.has_equal_params(place) || space.input() != place.output() {
        return false;
    }
    match &domain.0.basics[..] {
        [only] if only.locals().is_empty() => {
            map.basics.iter().all(|basic| implies_constraints(basic, only))
        }
        _ => map.plain_is_empty(),
    }
}

/// Whether constraints over the leading columns of a basic relation are plainly implied by it.
fn implies_constraints(basic: &BasicMap, wanted: &BasicMap) -> bool {
    let reduced = |row: &Row| {
        let mut row = row.clone();
        row.insert_zeros(row.len(), basic.n_columns() - row.len());
        for known in basic.equalities() {
            let columns = 1..known.len();
            let pivot = known.last_unit(columns.clone()).or_else(|| known.last_nonzero(columns));
            if let Some(pivot) = pivot {
                row.eliminate(pivot, known);
            }
        }
        row
    };
    wanted.equalities().iter().all(|row| reduced(row).is_zero())
        && wanted.inequalities().iter().all(|row| plainly_implies(&basic.inner, &reduced(row)))
}

fn partial_optimum(
    map: &Map,
    domain: &Set,
    direction: Direction,
    budget: &Budget,
) -> Result<(Map, Set)> {
    let restricted = match map.space.is_map() {
        _ if lies_plainly_in(map, domain) => map.clone(),
        true => map.intersect_domain_within(domain, budget)?,
        false => map.intersect_params_within(domain, budget)?,
    };
    if restricted.plain_is_empty() {
        return Ok((restricted, domain.clone()));
    }
    let result = optimum(&restricted, direction, budget)?;
    let with_images = if map.space.is_map() { result.domain() } else { result.params() };
    let without = domain.subtract(&with_images, budget)?;
    Ok((result, without))
}

impl Set {
    /// The smallest element, in lexicographic order, for each value of the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { [i, j] : i >= n and i >= 5 and j >= 2i }")?;
    /// let least = set.lexmin(&Budget::unlimited())?;
    /// let expected = "[n] -> { [i = n, j = 2n] : n >= 5; [i = 5, j = 10] : n <= 4 }";
    /// assert!(least.is_equal(&Set::parse(expected)?, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn lexmin(&self, budget: &Budget) -> Result<Self> {
        self.0.lexmin(budget).map(Set)
    }

    /// The greatest element, see [`Set::lexmin`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { [i, j] : 0 <= j <= i < n }")?;
    /// let greatest = set.lexmax(&Budget::unlimited())?;
    /// assert_eq!(greatest.to_string(), "[n] -> { [i = -1 + n, j = -1 + n] : n > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn lexmax(&self, budget: &Budget) -> Result<Self> {
        self.0.lexmax(budget).map(Set)
    }
}
