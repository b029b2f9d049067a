//! Pieces of a level on which the active nests have a greater common divisor of their grains than all nests
//! of the level (sections 2.1 and 3.1 of the paper: each convex domain is compressed by its own factor).
//!
//! A block is what has the same quotient by the divisor `c` of some nests. Blocks that these nests reach from
//! their first to their last point, and no other nest does, are one iteration each. Residues of the offsets
//! come one after the other in it, as in a level that is compressed as a whole. A block has all instances of
//! its points, so the order among blocks and other points is that of their first points. Where all residues
//! are the same, a step of the loop does the same, and nothing is done here.
use crate::legality::compressed;
use loopwright_presburger::{Budget, DimKind, Map, Result, Set};
use std::collections::{BTreeMap, BTreeSet};

/// Nests of a level of which all sets are looked at.
const MOST_NESTS: usize = 5;

/// A nest of a level, in points that are compressed by the divisor of the whole level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grain {
    pub(crate) grain: i64,
    pub(crate) offset: i64,
}

/// Blocks of some nests.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The points of a block.
    pub(crate) factor: i64,
    /// The instances of bodies that are in blocks.
    pub(crate) instances: BTreeMap<usize, Set>,
}

/// The pieces of a level: `places` has for each body its nest, and the relation from its instances to the
/// places in the loops around and the point of the level.
///
/// # Errors
/// Limits.
pub(crate) fn pieces(
    grains: &BTreeMap<usize, Grain>,
    places: &BTreeMap<usize, (usize, Map)>,
    budget: &Budget,
) -> Result<Vec<Piece>> {
    let mut found: Vec<Piece> = Vec::new();
    for (nests, factor) in candidates(grains) {
        let blocks = Blocks::new(grains, places, factor, budget)?;
        let Some(own) = blocks.of_only(&nests, budget)? else { continue };
        let mut instances = BTreeMap::new();
        for (body, (nest, map)) in &blocks.places {
            if !nests.contains(nest) {
                continue;
            }
            let mut inside = map.intersect_range_within(&own, budget)?.domain();
            for other in &found {
                if let Some(taken) = other.instances.get(body) {
                    inside = inside.subtract(taken, budget)?;
                }
            }
            if !inside.is_empty(budget)? {
                instances.insert(*body, inside.coalesce(budget)?);
            }
        }
        if !instances.is_empty() {
            found.push(Piece { factor, instances });
        }
    }
    Ok(found)
}

/// The sets of nests whose grains have a divisor that is worth blocks, with that divisor.
fn candidates(grains: &BTreeMap<usize, Grain>) -> Vec<(BTreeSet<usize>, i64)> {
    let all: Vec<(&usize, &Grain)> = grains.iter().collect();
    if all.len() > MOST_NESTS {
        return Vec::new();
    }
    let mut found = Vec::new();
    for choice in 0u32..1 << all.len() {
        let chosen = || all.iter().enumerate().filter(move |(at, _)| choice >> at & 1 == 1);
        let factor = chosen()
            .fold(0, |all, (_, (_, each))| crate::tree::greatest_common_divisor(all, each.grain));
        if factor < 2 {
            continue;
        }
        let residues: BTreeSet<i64> = chosen().map(|(_, (_, each))| each.offset % factor).collect();
        if residues.len() > 1 {
            found.push((chosen().map(|(_, (nest, _))| **nest).collect(), factor));
        }
    }
    found
}

/// The blocks of a size.
struct Blocks {
    /// For each body its nest, and the relation to the places around and the block.
    places: BTreeMap<usize, (usize, Map)>,
    /// The blocks between the first and the last one of each nest.
    reached: BTreeMap<usize, Set>,
}

impl Blocks {
    fn new(
        grains: &BTreeMap<usize, Grain>,
        places: &BTreeMap<usize, (usize, Map)>,
        factor: i64,
        budget: &Budget,
    ) -> Result<Blocks> {
        let mut blocks = BTreeMap::new();
        for (body, (nest, map)) in places {
            let by_block = compressed(map, map.n(DimKind::Out) - 1, factor)?;
            blocks.insert(*body, (*nest, map.apply_range_within(&by_block, budget)?));
        }
        let mut reached = BTreeMap::new();
        for nest in grains.keys() {
            let own = blocks.values().filter(|(other, _)| other == nest);
            let mut all: Option<Set> = None;
            for (_, map) in own {
                let range = map.range();
                all = Some(match all {
                    None => range,
                    Some(all) => all.union(&range)?,
                });
            }
            if let Some(all) = all {
                reached.insert(*nest, between(&all.coalesce(budget)?, budget)?);
            }
        }
        Ok(Blocks { places: blocks, reached })
    }

    /// The blocks that all of these nests reach, and no other one; none if there are none.
    fn of_only(&self, nests: &BTreeSet<usize>, budget: &Budget) -> Result<Option<Set>> {
        let mut own: Option<Set> = None;
        for nest in nests {
            let Some(reached) = self.reached.get(nest) else { return Ok(None) };
            own = Some(match own {
                None => reached.clone(),
                Some(own) => own.intersect_within(reached, budget)?,
            });
        }
        let Some(mut own) = own else { return Ok(None) };
        for (_, other) in self.reached.iter().filter(|(nest, _)| !nests.contains(nest)) {
            own = own.subtract(other, budget)?;
        }
        Ok((!own.is_empty(budget)?).then_some(own))
    }
}

/// The tuples between two of a set that agree but for the last component.
fn between(set: &Set, budget: &Budget) -> Result<Set> {
    let space = set.space().map_from_set();
    let last = set.n_dims() - 1;
    let same = (0..last)
        .fold(Map::universe(space), |map, at| map.equate(DimKind::In, at, DimKind::Out, at));
    let less = same.order_lt(DimKind::In, last, DimKind::Out, last);
    let equal = same.equate(DimKind::In, last, DimKind::Out, last);
    let behind = less.union(&equal)?;
    let before = behind.reverse();
    let from_first = set.apply_within(&behind, budget)?;
    from_first.intersect_within(&set.apply_within(&before, budget)?, budget)?.coalesce(budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_nests_with_different_residues_are_worth_blocks() {
        let of = |grains: &[(i64, i64)]| {
            let grain = |(at, (grain, offset)): (usize, &(i64, i64))| {
                (at, Grain { grain: *grain, offset: *offset })
            };
            candidates(&grains.iter().enumerate().map(grain).collect())
        };
        assert_eq!(of(&[(1, 0), (2, 0), (2, 1)]), [(BTreeSet::from([1, 2]), 2)]);
        // A step of the loop does it, or there is no common divisor.
        assert!(of(&[(1, 0), (2, 0), (2, 2)]).is_empty());
        assert!(of(&[(2, 0), (3, 1)]).is_empty());
        assert_eq!(of(&[(4, 1), (6, 2), (5, 0)]), [(BTreeSet::from([0, 1]), 2)]);
    }
}
