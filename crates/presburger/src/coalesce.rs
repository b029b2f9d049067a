//! Merging pieces of a union without adding points.
//!
//! # Method
//! Let `I'` be the constraints of piece `I` that hold on all of `J`, and `J'` likewise (an equality
//! counts as two inequalities). Their conjunction `M` contains both pieces. A point of `M` that is
//! in neither piece violates some `t >= 0` of `I \ I'` and some `s >= 0` of `J \ J'`. Hence `M` is
//! exactly the union if for all such pairs `M and t < 0 and s < 0` has no integer point. This
//! covers a piece inside another one (where `J \ J'` is empty), pieces that overlap, pieces on the
//! two sides of `t >= 0` and `-t - 1 >= 0`, and hyperplanes adjacent to a piece. Compare
//! Verdoolaege, "Integer set coalescing" (IMPACT 2015), for the cases that need new constraints;
//! those are not attempted.
use crate::basic_map::BasicData;
use crate::common_columns::{has_unknown_locals, over_common_columns};
use crate::parametric_lexmin::{negation, tightened};
use crate::subtract::{data_is_empty, plainly_implies};
use crate::*;

/// Pairs of violated constraints that are tried before a merge is given up.
const MAX_PAIRS: usize = 12;

/// One basic relation with the points of both, if there is one with their common constraints.
fn merged(a: &BasicMap, b: &BasicMap, budget: &Budget) -> Result<Option<BasicMap>> {
    let pieces = [a.clone(), b.clone()];
    let (columns, constraints) = over_common_columns(&pieces, a.space());
    let systems = [constraints[0].system(&columns), constraints[1].system(&columns)];
    let mut common = columns;
    let mut violated: [Vec<Row>; 2] = [Vec::new(), Vec::new()];
    for (index, own) in constraints.iter().enumerate() {
        let other = &systems[1 - index];
        for row in own.halves() {
            let violation = tightened(&negation(&row));
            if plainly_implies(other, &row) || violates_nowhere(other, &violation, budget)? {
                common.inequalities.push(row);
            } else {
                violated[index].push(violation);
                if violated[0].len() * violated[1].len() > MAX_PAIRS {
                    return Ok(None);
                }
            }
        }
        if violated[index].is_empty() {
            let outer = if index == 0 { a } else { b };
            return Ok(Some(outer.clone()));
        }
    }
    for first in &violated[0] {
        for second in &violated[1] {
            let mut outside = common.clone();
            outside.inequalities.extend([first.clone(), second.clone()]);
            if !data_is_empty(&outside, budget)? {
                return Ok(None);
            }
        }
    }
    Ok(Some(BasicMap::from_data(common)))
}

fn violates_nowhere(system: &BasicData, violation: &Row, budget: &Budget) -> Result<bool> {
    let mut part = system.clone();
    part.inequalities.push(violation.clone());
    data_is_empty(&part, budget)
}

/// Merges until no pair of pieces can be merged.
fn coalesced(map: &Map, budget: &Budget) -> Result<Vec<BasicMap>> {
    let mut done: Vec<BasicMap> = Vec::new();
    let mut pending: Vec<BasicMap> = map.basics.iter().rev().cloned().collect();
    'next: while let Some(piece) = pending.pop() {
        if piece.is_empty(budget)? {
            continue;
        }
        for index in 0..done.len() {
            let other = &done[index];
            if other.plain_is_equal(&piece) {
                continue 'next;
            }
            if has_unknown_locals(&other.inner) || has_unknown_locals(&piece.inner) {
                continue;
            }
            if let Some(merged) = merged(other, &piece, budget)? {
                if merged.plain_is_equal(other) {
                    continue 'next;
                }
                done.remove(index);
                pending.push(merged);
                continue 'next;
            }
        }
        done.push(piece);
    }
    Ok(done)
}

impl Map {
    /// The same points in fewer basic pieces: empty pieces vanish, and pairs of pieces whose union
    /// is described by constraints of the pieces are merged.
    ///
    /// The cost is quadratic in the number of pieces.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        Ok(Map::from_basic_maps(self.space.clone(), coalesced(self, budget)?))
    }
}

impl Set {
    /// The same points in fewer basic pieces, see [`Map::coalesce`].
    ///
    /// # Errors
    /// As for [`Map::coalesce`].
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        self.0.coalesce(budget).map(Set)
    }
}
