//! Widening of what recurrences ask for.
use loopwright_presburger::{Budget, Map, Result};

/// So often the affine hull is tried before hulls that keep more.
const AFFINE_HULLS: usize = 12;

/// So often simple hulls are tried before recurrences are unrolled.
const SIMPLE_HULLS: usize = 12;

/// A relation that has what is asked and what was asked earlier, by one hull after the other as their failures count; none once
/// all have failed.
///
/// *Method.* The affine hull keeps how instances of the two programs correspond, and drops which instances are
/// asked for; the simple hull keeps the bounds of instances, too, as far as both relations have them.
pub(crate) fn widened(
    asked: &Map,
    earlier: &Map,
    failures: usize,
    budget: &Budget,
) -> Result<Option<Map>> {
    if failures >= AFFINE_HULLS + SIMPLE_HULLS {
        return Ok(None);
    }
    let both = asked.union(earlier)?;
    let hull = match failures < AFFINE_HULLS {
        true => both.affine_hull(budget)?,
        false => both.simple_hull(budget)?,
    };
    Ok(Some(Map::from_basic_map(hull)))
}
