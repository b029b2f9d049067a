//! What several sets have in common.
use crate::level::Level;
use crate::level::bounds::{involving, is_bounded, without_far_bounds};
use crate::level::plain_sets::plain_equal;
use loopwright_presburger::*;

/// The shared constraints of the pieces, if they bound the dimension on both sides.
pub(crate) fn bounded_hull(union: &Set, level: Level<'_>) -> Result<BasicSet> {
    let union = &union.intersect(&level.around())?;
    let hull = union.unshifted_simple_hull(level.budget)?;
    if is_bounded(&hull, level.dimension) {
        return Ok(hull);
    }
    let hull = without_far_bounds(union.simple_hull(level.budget)?, union, level.dimension);
    if is_bounded(&hull, level.dimension) {
        return Ok(hull);
    }
    Err(Error::Invalid {
        operation: "loop generation",
        reason: format!("the values of dimension {} have no common bounds", level.dimension),
    })
}

/// The union without repetitions, and whether it has a single piece.
pub(crate) fn distinct_pieces(domains: &[Set]) -> (Set, bool) {
    let mut basics: Vec<BasicSet> = Vec::new();
    for basic in domains.iter().flat_map(|domain| domain.basic_sets()) {
        if !basics.iter().any(|other| plain_equal(other.as_basic_map(), basic.as_basic_map())) {
            basics.push(basic);
        }
    }
    let space = domains[0].space().clone();
    let is_single = basics.len() == 1;
    (Set::from_basic_sets(space, basics), is_single)
}

/// The union without repetitions, merged where that loses nothing.
pub(crate) fn distinct_union(domains: &[Set], level: Level<'_>) -> Result<Set> {
    let (union, is_single) = distinct_pieces(domains);
    if is_single {
        return Ok(union);
    }
    union.gist(&level.around(), level.budget)?.coalesce(level.budget)
}

/// What the pieces say about dimension `level`, if they all say the same.
pub(crate) fn same_bounds(union: &Set, level: usize) -> Option<BasicSet> {
    let pieces = union.basic_sets();
    let bounds: Vec<BasicSet> = pieces.iter().map(|piece| involving(piece, level, true)).collect();
    let (first, rest) = bounds.split_first()?;
    let same = |other: &BasicSet| plain_equal(first.as_basic_map(), other.as_basic_map());
    (rest.iter().all(same) && is_bounded(first, level)).then(|| first.clone())
}

/// What all sets say.
pub(crate) fn shared_constraints(domains: &[Set], budget: &Budget) -> Result<Set> {
    let basics = domains.iter().flat_map(|domain| domain.basic_sets()).collect();
    let all = Set::from_basic_sets(domains[0].space().clone(), basics);
    Ok(Set::from_basic_set(all.unshifted_simple_hull(budget)?))
}
