//! Quantifier elimination: every existential becomes an explicit floor.
//!
//! # Method
//! An existential is replaced by a witness that is a function of the dimensions. The witness of an
//! equality `a e + f = 0` is `floor(-f / a)`, that of an existential with a single lower bound
//! `a e >= f` is `ceil(f / a)` ([`ExplicitColumns`]); these keep one piece. Otherwise the
//! lexicographically smallest values of the existentials are computed by parametric integer
//! programming: the parts where there are such values, described with floors of the dimensions,
//! are the result.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::{BasicRelation, has_unknown_locals};
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::{Map, Pieces};
use crate::core::set::Set;
use crate::lexmin::explicit_locals::ExplicitColumns;
use crate::lexmin::lexmin_problem::minimize;

/// Disjoint pieces with the points of `basic` and without unknown locals.
fn explicit_pieces(basic: &BasicMap, budget: &Budget) -> Result<Vec<BasicMap>> {
    let first_local = basic.n_columns() - basic.locals().len();
    let columns = ExplicitColumns::new(BasicRelation::clone(&basic.inner), first_local);
    let is_determined = columns.is_determined();
    let data = columns.into_ordered_data();
    let parts = if is_determined { vec![data] } else { minimize(data, first_local, budget)? };
    Ok(parts.into_iter().map(BasicMap::from_data).collect())
}

impl Map {
    /// The same points without unknown existentials: every local is an explicit floor.
    ///
    /// A piece may be split; the parts of one piece are disjoint.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j] : exists e: 3e <= i <= 4e and j = i }")?;
    /// assert_eq!(
    ///     map.make_locals_explicit(&Budget::unlimited())?.to_string(),
    ///     "{ [i] -> [j = i] : i <= 4*floor((i)/3) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn make_locals_explicit(&self, budget: &Budget) -> Result<Self> {
        if !self.basics.iter().any(|basic| has_unknown_locals(&basic.inner)) {
            return Ok(self.clone());
        }
        let mut pieces = Vec::new();
        for basic in &self.basics {
            if has_unknown_locals(&basic.inner) {
                pieces.extend(explicit_pieces(basic, budget).during("make_locals_explicit")?);
            } else {
                pieces.push(basic.clone());
            }
        }
        Ok(Map::from_basic_maps(self.space.clone(), pieces))
    }
}

impl Set {
    /// The same points without unknown existentials, see [`Map::make_locals_explicit`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("{ [i] : exists e: 5e <= i <= 5e + 2 }")?;
    /// assert_eq!(
    ///     set.make_locals_explicit(&Budget::unlimited())?.to_string(),
    ///     "{ [i] : i <= 2 + 5*floor((i)/5) }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::make_locals_explicit`].
    pub fn make_locals_explicit(&self, budget: &Budget) -> Result<Self> {
        self.0.make_locals_explicit(budget).map(Set)
    }
}

/// The pieces, with explicit floors instead of unknown locals.
pub(crate) fn pieces_with_explicit_locals(map: &Map, budget: &Budget) -> Result<Pieces> {
    if map.basics.iter().any(|basic| has_unknown_locals(&basic.inner)) {
        Ok(map.make_locals_explicit(budget)?.basics)
    } else {
        Ok(map.basics.clone())
    }
}
