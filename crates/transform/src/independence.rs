//! Whether a loop carries a dependence: an exact test.
//!
//! A schedule dimension carries a dependence if the two instances agree on all dimensions outside it
//! and differ in it. The `coincident` flag of a band member is a sufficient condition that does not
//! depend on the position in the band; a member may also carry nothing only because others outside it
//! carry everything (the inner loops of a time-stepped stencil).
use loopwright_presburger::{Budget, DimKind, Result, UnionMap};
use loopwright_schedule::Reaching;

/// Whether no pair of `dependences` agrees on the schedule dimensions before `dimension` and differs
/// in it. `below` is what reaches the node below that dimension.
///
/// Cost: two emptiness tests per pair of dependent statements.
///
/// # Errors
/// If the budget runs out.
pub fn carries_nothing(
    below: &Reaching,
    dimension: usize,
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<bool> {
    let mut prefix = below.clone();
    prefix.pieces.iter_mut().for_each(|piece| piece.schedule.truncate(dimension + 1));
    prefix.layout = vec![None; dimension + 1];
    let schedule = prefix.flat_schedule()?;
    carries_nothing_in(&schedule, dimension, dependences, budget)
}

/// The same for a schedule with `dimension + 1` dimensions.
///
/// # Errors
/// If the budget runs out.
pub fn carries_nothing_in(
    schedule: &UnionMap,
    dimension: usize,
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<bool> {
    let pairs = dependences.apply_domain(schedule)?.apply_range(schedule)?;
    for map in pairs.maps() {
        let mut same = map.clone();
        for outer in 0..dimension {
            same = same.equate(DimKind::In, outer, DimKind::Out, outer);
        }
        let later = same.order_lt(DimKind::In, dimension, DimKind::Out, dimension);
        let earlier = same.order_lt(DimKind::Out, dimension, DimKind::In, dimension);
        if !later.is_empty(budget)? || !earlier.is_empty(budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}
