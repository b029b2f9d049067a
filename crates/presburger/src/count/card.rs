//! Numbers of elements and of images.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::core::union_map::UnionMap;
use crate::core::union_set::UnionSet;
use crate::count::listed::listed_existentials;
use crate::count::pieces::{merged, size};
use crate::count::sum::{added, one, sum_over_images};
use crate::polynomials::pw_qpolynomial::{PwQPolynomial, UnionPwQPolynomial};
use crate::polynomials::qpolynomial::QPolynomial;

const OPERATION: &str = "card";

/// Up to so many steps existentials are floors before their values are listed.
const STEPS_FOR_EXISTENTIALS: u64 = 1_000_000;

/// Up to so many steps pieces that have been joined are counted before they are also counted one by one:
/// joining lines of seven points of a stencil gives octahedra, which take 5 million steps and 37 functions of
/// slanted distances.
const STEPS_FOR_JOINED: u64 = 10_000;

/// Up to so many steps pieces are counted one by one.
const STEPS_FOR_SEPARATE: u64 = 1_000_000;

/// With so many functions at most, joined pieces are not counted one by one.
const FEW: usize = 2;

/// More pieces are not compared in pairs.
const MAX_SEPARATE: usize = 32;

/// The number of images (or of elements) of a relation (or set).
fn counted(map: &Map, budget: &Budget) -> Result<PwQPolynomial> {
    let space = map.space();
    let outer = if space.is_map() { space.domain() } else { space.to_params() };
    let zero = || PwQPolynomial::on_domain(Set::universe(outer.clone()), QPolynomial::zero(&outer));
    if map.plain_is_empty() {
        return Ok(zero());
    }
    let has_unknown = |basic: &BasicMap| basic.locals().contains(&Local::Unknown);
    let count = match map.basics.iter().any(has_unknown) {
        true => counted_with_existentials(map, &outer, budget)?,
        false => counted_explicit(map, map, &outer, budget)?,
    };
    Ok(if count.pieces.is_empty() { zero() } else { count })
}

/// The number of images of pieces, some with existentials: as floors, or where that takes long and they have
/// few values by these.
fn counted_with_existentials(map: &Map, outer: &Space, budget: &Budget) -> Result<PwQPolynomial> {
    let by_floors =
        |part: &Budget| counted_explicit(map, &map.make_locals_explicit(part)?, outer, part);
    let limit = STEPS_FOR_EXISTENTIALS.min(budget.remaining() / 2);
    if let Some(count) = budget.attempt(limit, by_floors)? {
        return Ok(count);
    }
    match listed_existentials(map, budget)? {
        Some(listed) => counted_explicit(&listed, &listed, outer, budget),
        None => by_floors(budget),
    }
}

/// The number of images of pieces, given as they are and with explicit locals.
fn counted_explicit(
    map: &Map,
    explicit: &Map,
    outer: &Space,
    budget: &Budget,
) -> Result<PwQPolynomial> {
    match explicit.basics.len() {
        1 => counted_pieces(explicit, outer, budget),
        _ => counted_jointly(map, explicit, outer, budget),
    }
}

/// The sum of the numbers of disjoint pieces.
fn counted_pieces(pieces: &Map, outer: &Space, budget: &Budget) -> Result<PwQPolynomial> {
    let start = budget.used();
    let sum = sum_over_images(pieces, &one(&pieces.space), outer, budget)?;
    merged(sum, budget.used() - start, budget)
}

/// The number of images of several pieces, given as they are and with explicit floors: pieces are joined
/// where they can be. That saves work, unless the conditions of what is joined connect dimensions that those
/// of the pieces do not: then disjoint pieces are counted one by one.
fn counted_jointly(
    map: &Map,
    explicit: &Map,
    outer: &Space,
    budget: &Budget,
) -> Result<PwQPolynomial> {
    let start = budget.used();
    let joint = explicit.coalesce(budget)?;
    let is_joined = joint.basics.len() < map.basics.len();
    let joint = joint.make_disjoint(budget)?.make_locals_explicit(budget)?;
    if !is_joined || map.basics.len() > MAX_SEPARATE {
        return counted_pieces(&joint, outer, budget);
    }
    let limit = 3 * (budget.used() - start) + STEPS_FOR_JOINED;
    let count = |pieces: &Map, limit: u64| {
        let limit = limit.min(budget.remaining() / 2);
        budget.attempt(limit, |part| counted_pieces(pieces, outer, part))
    };
    let quick = count(&joint, STEPS_FOR_JOINED)?;
    if let Some(quick) = quick.as_ref().filter(|quick| quick.pieces.len() <= FEW) {
        return Ok(quick.clone());
    }
    let separate = budget.attempt(limit, |part| separate_pieces(map, part))?.flatten();
    let other = match &separate {
        Some(pieces) => count(pieces, STEPS_FOR_SEPARATE)?,
        None => None,
    };
    match (quick, other) {
        (Some(quick), Some(other)) if size(&quick) <= size(&other) => Ok(quick),
        (_, Some(other)) => Ok(other),
        (Some(quick), None) => Ok(quick),
        (None, None) => counted_pieces(&joint, outer, budget),
    }
}

/// The pieces, each with explicit floors, if no two of them have a common point.
fn separate_pieces(map: &Map, budget: &Budget) -> Result<Option<Map>> {
    let mut pieces: Vec<Map> = Vec::with_capacity(map.basics.len());
    for basic in &map.basics {
        let piece = Map::from_basic_map(basic.clone());
        for other in &pieces {
            if !piece.is_disjoint(other, budget)? {
                return Ok(None);
            }
        }
        pieces.push(piece.make_locals_explicit(budget)?.coalesce(budget)?);
    }
    let basics = pieces.into_iter().flat_map(|piece| piece.basics).collect::<Vec<_>>();
    Ok(Some(Map::from_basic_maps(map.space.clone(), basics)))
}

impl Set {
    /// The number of elements as a function of the parameters, exactly; infinite where it is.
    ///
    /// *Method.* Disjoint pieces, existentials as floors, then sums over one variable after the other
    /// by Faulhaber's formulas (Pugh, "Counting solutions to Presburger formulas", 1994).
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// let triangle = Set::parse("[n] -> { [i, j] : 0 <= j <= i < n }")?;
    /// assert_eq!(triangle.card(budget)?.to_string(), "[n] -> { (1/2*n^2 + 1/2*n) : n > 0 }");
    /// let even = Set::parse("[n] -> { [i] : 0 <= i < n and i mod 2 = 0 }")?;
    /// assert_eq!(even.card(budget)?.to_string(), "[n] -> { (floor((1 + n)/2)) : n > 0 }");
    /// assert_eq!(Set::parse("{ [i] : i > 0 }")?.card(budget)?.to_string(), "{ infty }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded): the number of pieces may grow exponentially with the
    /// number of dimensions.
    pub fn card(&self, budget: &Budget) -> Result<PwQPolynomial> {
        counted(&self.0, budget).during(OPERATION)
    }
}

impl Map {
    /// The number of images of each element, as a function of the element.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let later = Map::parse("[n] -> { S[i] -> T[j] : i < j < n }")?;
    /// let n_images = later.card(&Budget::unlimited())?;
    /// assert_eq!(n_images.to_string(), "[n] -> { S[i] -> (n - i - 1) : i <= -2 + n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::card`].
    pub fn card(&self, budget: &Budget) -> Result<PwQPolynomial> {
        counted(self, budget).during(OPERATION)
    }
}

impl UnionSet {
    /// The number of elements in all spaces together.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let instances = UnionSet::parse("[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n }")?;
    /// let n_instances = instances.card(&Budget::unlimited())?;
    /// assert_eq!(n_instances.to_string(), "[n] -> { (n^2 + n) : n > 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::card`].
    pub fn card(&self, budget: &Budget) -> Result<UnionPwQPolynomial> {
        added(self.sets().iter().map(|set| set.card(budget)), budget).during(OPERATION)
    }
}

impl UnionMap {
    /// The number of images of each element in all spaces together.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let uses = UnionMap::parse("{ S[i] -> A[x] : i <= x <= i + 2; S[i] -> B[]; T[] -> B[] }")?;
    /// let n_uses = uses.card(&Budget::unlimited())?;
    /// assert_eq!(n_uses.to_string(), "{ S[i] -> (4); T[] -> (1) }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::card`].
    pub fn card(&self, budget: &Budget) -> Result<UnionPwQPolynomial> {
        added(self.maps().iter().map(|map| map.card(budget)), budget).during(OPERATION)
    }
}
