//! How the values of a dimension are cut into pieces that become loops.
use crate::cut::connected_components::{components, may_follow};
use crate::cut::hulls::{
    bounded_hull, distinct_pieces, distinct_union, same_bounds, shared_constraints,
};
use crate::cut::order::ordered;
use crate::cut::regions::separated;
use crate::level::Level;
use crate::level::bounds::is_bounded;
use crate::level::localized::localized;
use crate::level::piecewise_bounds::{PiecewiseBounds, piecewise_bounds};
use loopwright_presburger::*;
use std::collections::BTreeMap;

/// The most work for one convex hull.
const HULL_STEPS: u64 = 300_000;

/// Disjoint pieces that cover the sets, in execution order, at most `most` if possible.
///
/// The usual case is that one of the pieces of the union, after merging, contains all others.
pub(crate) fn default_pieces(
    domains: &[Set],
    level: Level<'_>,
    most: usize,
) -> Result<Vec<BasicSet>> {
    if let Some(values) = constant_values(&distinct_pieces(domains).0, level, most)? {
        return Ok(values);
    }
    let union = distinct_union(domains, level)?;
    if let [single] = &union.basic_sets()[..] {
        return Ok(vec![single.clone()]);
    }
    if let Some(piece) = same_bounds(&union, level.dimension) {
        return Ok(vec![piece]);
    }
    if most <= 1
        && let Ok(piece) = bounded_hull(&union, level)
    {
        return Ok(vec![piece]);
    }
    let pieces = match union.make_disjoint(level.budget) {
        Ok(disjoint) => disjoint.coalesce(level.budget)?.basic_sets(),
        Err(Error::Exceeded { .. }) => {
            return Ok(vec![bounded_hull(&union, level.within(&Budget::unlimited()))?]);
        }
        Err(other) => return Err(other),
    };
    if pieces.len() > most
        && let Ok(piece) = bounded_hull(&union, level)
    {
        return Ok(vec![piece]);
    }
    sorted(pieces, level)
}

/// One piece for each value of the dimension in ascending order, if all pieces of the sets fix it to
/// constants: those of a schedule with several pieces, of which a loop would have to find out in each
/// iteration whose turn it is.
fn constant_values(union: &Set, level: Level<'_>, most: usize) -> Result<Option<Vec<BasicSet>>> {
    let mut of_value: BTreeMap<Int, Vec<BasicSet>> = BTreeMap::new();
    for piece in union.basic_sets() {
        let alone = Set::from_basic_set(piece.clone());
        let Some(value) = alone.plain_get_val_if_fixed(DimKind::Out, level.dimension) else {
            return Ok(None);
        };
        of_value.entry(value).or_default().push(piece);
    }
    if !(2..=most).contains(&of_value.len()) {
        return Ok(None);
    }
    let mut values = Vec::with_capacity(of_value.len());
    for pieces in of_value.into_values() {
        let same = Set::from_basic_sets(union.space().clone(), pieces);
        values.push(same.unshifted_simple_hull(level.budget)?);
    }
    Ok(Some(values))
}

/// One piece that covers the sets. If the constraints that they share do not bound the dimension, the loop
/// gets a piecewise bound; as few pieces as possible only if none is found within the limits, or if
/// conditions would have to choose and these are not wanted.
pub(crate) fn atomic_pieces(
    domains: &[Set],
    level: Level<'_>,
    conditional_bounds: bool,
) -> Result<Vec<BasicSet>> {
    let suitable = |bounds: &PiecewiseBounds| conditional_bounds || bounds.are_extremes();
    covering(domains, level, |_| Ok(None), suitable)
}

/// One piece that covers the sets, if need be with bounds that none of them has, or with the least or
/// greatest of several; as few pieces as possible where there are none, or where they take too long.
pub(crate) fn superset(domains: &[Set], level: Level<'_>) -> Result<Vec<BasicSet>> {
    covering(
        domains,
        level,
        |distinct| {
            let part = level.budget.part(HULL_STEPS);
            let inside = distinct.intersect(&level.around())?;
            let hull = inside.remove_locals().convex_hull(&part);
            level.budget.charge(&part);
            Ok(hull.ok().filter(|hull| is_bounded(hull, level.dimension)))
        },
        PiecewiseBounds::are_extremes,
    )
}

/// One piece by the constraints that the sets share; if those do not bound the dimension, the other
/// hull, or else a piece without bounds for which `suitable` piecewise ones exist, or else as few pieces as
/// possible.
fn covering(
    domains: &[Set],
    level: Level<'_>,
    other_hull: impl FnOnce(&Set) -> Result<Option<BasicSet>>,
    suitable: impl FnOnce(&PiecewiseBounds) -> bool,
) -> Result<Vec<BasicSet>> {
    let (distinct, is_single) = distinct_pieces(domains);
    if is_single {
        return Ok(distinct.basic_sets());
    }
    if let Ok(piece) = bounded_hull(&distinct, level) {
        return Ok(vec![piece]);
    }
    if let Some(piece) = other_hull(&distinct)? {
        return Ok(vec![piece]);
    }
    match with_piecewise_bounds(&distinct, level, suitable)? {
        Some(piece) => Ok(vec![piece]),
        None => default_pieces(domains, level, usize::MAX),
    }
}

/// The constraints that the pieces share, if `suitable` piecewise bounds take the place of those of dimension
/// `level` that are missing, and are found within their limits.
pub(crate) fn with_piecewise_bounds(
    union: &Set,
    level: Level<'_>,
    suitable: impl FnOnce(&PiecewiseBounds) -> bool,
) -> Result<Option<BasicSet>> {
    let inside = union.intersect(&level.around())?;
    let hull = inside.unshifted_simple_hull(level.budget)?;
    match piecewise_bounds(&inside, &hull, level) {
        Ok(found) => Ok(found.filter(suitable).map(|_| hull)),
        Err(Error::Exceeded { .. }) if level.budget.remaining() > 0 => Ok(None),
        Err(other) => Err(other),
    }
}

/// The common refinement of the sets: in every piece each of them is either all or nothing.
///
/// Quilleré, Rajopadhye, Wilde, "Generation of Efficient Nested Loops from Polyhedra" (IJPP 28(5),
/// 2000), step 3 of the algorithm.
///
/// `explicit` is what the relations of the sets state about the dimensions, if bounds that only
/// follow from it are to be left out.
pub(crate) fn separate_pieces(
    domains: &[Set],
    explicit: Option<&[Set]>,
    level: Level<'_>,
) -> Result<Vec<BasicSet>> {
    let parts = match (domains, explicit) {
        ([_], _) | (_, None) => separated(domains, None, level.budget)?,
        (_, Some(explicit)) => {
            let shared = shared_constraints(domains, level.budget)?;
            let simplified = domains.iter().zip(explicit).map(|(domain, explicit)| {
                without_implied_constraints(domain, explicit, &shared, level.dimension)
            });
            separated(&simplified.collect::<Result<Vec<Set>>>()?, None, level.budget)?
        }
    };
    let mut pieces = Vec::new();
    for part in parts {
        pieces.extend(part.make_disjoint(level.budget)?.basic_sets());
    }
    sorted(pieces, level)
}

/// The pieces of `domains`, which are in `part`, unless they cover something outside of the part: then
/// exact ones.
pub(crate) fn pieces_inside(
    pieces: Vec<BasicSet>,
    part: &Set,
    domains: &[Set],
    level: Level<'_>,
) -> Result<Vec<BasicSet>> {
    let known_here = level.around();
    for piece in &pieces {
        let reached = Set::from_basic_set(piece.clone()).intersect(&known_here)?;
        if !reached.is_subset(part, level.budget)? {
            let domains: Vec<Set> =
                domains.iter().map(|set| localized(set, level.dimension)).collect();
            let exact = distinct_pieces(&domains).0.intersect(part)?.make_disjoint(level.budget)?;
            return sorted(exact.coalesce(level.budget)?.basic_sets(), level);
        }
    }
    Ok(pieces)
}

/// A set without constraints that only follow from the existence of values of inner dimensions: loops
/// inside take care of those, so they are no reason for loops of their own.
///
/// `explicit` is what the relation of the set states itself, `shared` what holds for all sets.
fn without_implied_constraints(
    domain: &Set,
    explicit: &Set,
    shared: &Set,
    level: usize,
) -> Result<Set> {
    if domain.as_map().basic_maps().len() != 1 {
        return Ok(domain.clone());
    }
    let simpler = localized(&explicit.intersect(shared)?, level);
    match &simpler.basic_sets()[..] {
        [single] if is_bounded(single, level) => Ok(simpler),
        _ => Ok(domain.clone()),
    }
}

/// Disjoint pieces in the order of their values.
///
/// With two outer dimensions or parameters, three pieces can be in a cycle: each comes before the
/// next for some outer values. Then all are merged into one loop over their common hull, or cut at outer
/// values if that has no bounds.
pub(crate) fn sorted(pieces: Vec<BasicSet>, level: Level<'_>) -> Result<Vec<BasicSet>> {
    if pieces.len() <= 1 {
        return Ok(pieces);
    }
    let sets: Vec<Set> = pieces.iter().cloned().map(Set::from_basic_set).collect();
    let domains: Vec<&Set> = sets.iter().collect();
    let order = components(&domains, level.dimension, |a, b| {
        let before = may_follow(&sets[a], &sets[b], level)?;
        Ok(before)
    })?;
    if order.len() < sets.len() {
        let union = Set::from_basic_sets(sets[0].space().clone(), pieces.clone());
        return match bounded_hull(&union, level) {
            Ok(piece) => Ok(vec![piece]),
            Err(_) => ordered(pieces, level),
        };
    }
    let result = order.into_iter().map(|group| pieces[group[0]].clone()).collect();
    Ok(result)
}
