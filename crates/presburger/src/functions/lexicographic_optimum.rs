//! Lexicographic optima as piecewise functions of the domain and the parameters.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::functions::graph_reader::explicit_piece;
use crate::functions::piecewise::PwMultiAff;
use crate::lexmin::lexicographic_optimum::optimum_of_basic;
use crate::lexmin::lexmin_problem::Direction;

/// The optimum of one basic relation as a function.
pub(crate) fn optimum_function(
    basic: &BasicMap,
    direction: Direction,
    budget: &Budget,
) -> Result<PwMultiAff> {
    let mut pieces = Vec::new();
    for part in optimum_of_basic(basic, direction, budget)? {
        let part = BasicMap::from_normal_data(part);
        let (domain, values) = explicit_piece(&part)?.ok_or_else(|| Error::Invalid {
            operation: "the optimum as a function",
            reason: format!("no explicit form found: {part}"),
        })?;
        // The part is not in normal form, so its domain need not be either.
        let domain = domain.as_map().map_basics(domain.space().clone(), |basic| {
            BasicMap::from_data(BasicRelation::clone(&basic.inner))
        });
        pieces.push((Set(domain), values));
    }
    Ok(PwMultiAff::from_pieces(basic.space().clone(), pieces))
}

/// The optimum of a union as a function.
pub(crate) fn optimum_of_union(
    map: &Map,
    direction: Direction,
    budget: &Budget,
) -> Result<PwMultiAff> {
    let mut best: Option<PwMultiAff> = None;
    for basic in &map.basics {
        let function = optimum_function(basic, direction, budget)?;
        best = Some(match (best, direction) {
            (None, _) => function,
            (Some(best), Direction::Least) => best.union_lexmin(&function, budget)?,
            (Some(best), Direction::Greatest) => best.union_lexmax(&function, budget)?,
        });
    }
    best.unwrap_or_else(|| PwMultiAff::empty(&map.space)).coalesce(budget)
}

/// The least image of every domain element of one basic relation.
pub(crate) fn least_of_basic(basic: &BasicMap, budget: &Budget) -> Result<PwMultiAff> {
    optimum_function(basic, Direction::Least, budget)
}

impl Map {
    /// The smallest images as a piecewise expression.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j, k] : i <= 3j and k >= j }")?;
    /// let least = map.lexmin_pw_multi_aff(&Budget::unlimited())?;
    /// assert_eq!(least.to_string(), "{ [i] -> [(floor((2 + i)/3)), (floor((2 + i)/3))] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn lexmin_pw_multi_aff(&self, budget: &Budget) -> Result<PwMultiAff> {
        optimum_of_union(self, Direction::Least, budget).during("lexmin_pw_multi_aff")
    }

    /// The greatest images as a piecewise expression.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j, k] : 0 <= k <= j <= i }")?;
    /// let greatest = map.lexmax_pw_multi_aff(&Budget::unlimited())?;
    /// assert_eq!(greatest.to_string(), "{ [i] -> [(i), (i)] : i >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn lexmax_pw_multi_aff(&self, budget: &Budget) -> Result<PwMultiAff> {
        optimum_of_union(self, Direction::Greatest, budget).during("lexmax_pw_multi_aff")
    }
}

impl Set {
    /// The smallest element as a piecewise expression in the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { A[i] : 4i >= n }")?;
    /// let least = set.lexmin_pw_multi_aff(&Budget::unlimited())?;
    /// assert_eq!(least.to_string(), "[n] -> { A[(floor((3 + n)/4))] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn lexmin_pw_multi_aff(&self, budget: &Budget) -> Result<PwMultiAff> {
        self.0.lexmin_pw_multi_aff(budget)
    }

    /// The greatest element as a piecewise expression in the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { A[i] : 0 <= 4i <= n }")?;
    /// let greatest = set.lexmax_pw_multi_aff(&Budget::unlimited())?;
    /// assert_eq!(greatest.to_string(), "[n] -> { A[(floor((n)/4))] : floor((n)/4) >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn lexmax_pw_multi_aff(&self, budget: &Budget) -> Result<PwMultiAff> {
        self.0.lexmax_pw_multi_aff(budget)
    }
}
