//! Hulls that only use constraints of the pieces.
//!
//! # Method
//! Every constraint of a piece (an equality as two inequalities) that holds on all pieces is part
//! of the unshifted hull. The shifted hull also takes the others, with the constant increased by
//! as much as the constraint is violated on the pieces, if that is bounded. Unknown existentials
//! are made explicit first.
use crate::core::align_locals::over_common_columns;
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::{BasicRelation, plainly_implies};
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::rows::tightened;
use crate::core::set::Set;
use crate::lexmin::quantifier_elimination::pieces_with_explicit_locals;
use crate::solve::optimum::Optimum;
use crate::solve::point_search::PointSearch;
use loopwright_exact::{Int, Row};

/// The constant to add to `row` such that it is not negative on a system; none if unbounded.
fn shift(
    system: &BasicRelation,
    search: &mut PointSearch,
    row: &Row,
    is_shifted: bool,
    budget: &Budget,
) -> Result<Option<Int>> {
    if plainly_implies(system, row) {
        return Ok(Some(Int::ZERO));
    }
    if is_shifted {
        return Ok(match search.minimum(row, budget)? {
            Optimum::Empty => Some(Int::ZERO),
            Optimum::Unbounded => None,
            Optimum::At(value) if value.is_negative() => Some(-value),
            Optimum::At(_) => Some(Int::ZERO),
        });
    }
    Ok(search.implies(&tightened(row), budget)?.then_some(Int::ZERO))
}

fn hull(map: &Map, is_shifted: bool, budget: &Budget) -> Result<BasicMap> {
    if let [piece] = map.basics.as_slice() {
        return Ok(piece.clone());
    }
    let pieces = pieces_with_explicit_locals(map, budget)?;
    let (columns, constraints) = over_common_columns(&pieces, &map.space);
    let mut systems: Vec<(BasicRelation, PointSearch)> = Vec::with_capacity(pieces.len());
    let mut present = Vec::with_capacity(pieces.len());
    for (index, own) in constraints.iter().enumerate() {
        let system = own.system(&columns);
        let mut search = PointSearch::new(&system);
        if !system.empty && !search.is_empty(budget)? {
            systems.push((system, search));
            present.push(index);
        }
    }
    match present[..] {
        [] => return Ok(BasicMap::empty(map.space.clone())),
        [single] => return Ok(pieces[single].clone()),
        _ => {}
    }
    let mut result = columns;
    for own in present.iter().map(|&index| &constraints[index]) {
        'constraint: for mut row in own.halves() {
            if plainly_implies(&result, &row) {
                continue;
            }
            let mut total = Int::ZERO;
            for (system, search) in &mut systems {
                match shift(system, search, &row, is_shifted, budget)? {
                    Some(needed) => total = total.max(needed),
                    None => continue 'constraint,
                }
            }
            row.set(0, &row.get(0) + &total);
            if !plainly_implies(&result, &row) {
                result.inequalities.push(row);
            }
        }
    }
    Ok(BasicMap::from_data(result))
}

impl Map {
    /// One basic piece: the constraints of the pieces that hold on all of them (no new
    /// coefficients).
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j] : 0 <= j <= 3 and j <= i; [i] -> [j] : 0 <= j <= 5 }")?;
    /// let hull = map.unshifted_simple_hull(&Budget::unlimited())?;
    /// assert_eq!(Map::from_basic_map(hull).to_string(), "{ [i] -> [j] : 0 <= j <= 5 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn unshifted_simple_hull(&self, budget: &Budget) -> Result<BasicMap> {
        hull(self, false, budget).during("unshifted_simple_hull")
    }

    /// One basic piece: constraints of the pieces, shifted until they hold on all.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j] : i <= j <= i + 3; [i] -> [i + 7] }")?;
    /// let hull = map.simple_hull(&Budget::unlimited())?;
    /// assert_eq!(Map::from_basic_map(hull).to_string(), "{ [i] -> [j] : i <= j <= 7 + i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn simple_hull(&self, budget: &Budget) -> Result<BasicMap> {
        hull(self, true, budget).during("simple_hull")
    }
}

impl Set {
    /// One basic set of shifted constraints that is bounded (for every value of the parameters)
    /// if the set is.
    ///
    /// *Method.* The simple hull, or if that is not bounded although the set is, the convex hull.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Set};
    /// // No constraint of a segment bounds the other one.
    /// let set = Set::parse(
    ///     "{ [i, j] : i = j and 0 <= i + j <= 4; [i, j] : i = 2j and 0 <= i + j <= 9 }",
    /// );
    /// let hull = set.unwrap().bounded_simple_hull(&Budget::unlimited()).unwrap();
    /// assert!(hull.is_bounded(&Budget::unlimited()).unwrap());
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn bounded_simple_hull(&self, budget: &Budget) -> Result<BasicSet> {
        let hull = self.simple_hull(budget).during("bounded_simple_hull")?;
        if hull.is_bounded(budget).during("bounded_simple_hull")?
            || !self.is_bounded(budget).during("bounded_simple_hull")?
        {
            return Ok(hull);
        }
        self.convex_hull(budget).during("bounded_simple_hull")
    }
}
