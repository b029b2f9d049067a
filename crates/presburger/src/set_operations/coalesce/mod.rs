//! Merging pieces of a union without adding points.
//!
//! # Method
//! Pieces are compared pair by pair. The constraints of piece `A` (an equality counts as two
//! inequalities, its *sides*) are split into those that hold on all of `B` and those that `B`
//! violates, and vice versa. What holds on both pieces contains both; the rules differ in how they
//! show that it contains no further point:
//!
//! 1. If `B` violates no side of `A`, it lies in `A`.
//! 2. [`pair`]: no point that violates some side of each piece satisfies what both have in common.
//!    Then these common constraints describe the union: overlapping pieces, the two sides of
//!    `t >= 0` and `-t - 1 >= 0`, hyperplanes beside a piece.
//! 3. [`wrapping`]: one piece sticks out of the other by one. The other one is relaxed by one, and
//!    the violated constraints are turned until they contain it.
//!
//! A pair that no rule can merge should be recognized fast, since most pairs are such: parallel sides, affine
//! hulls ([`dimension`]) and known points ([`segment`]) are looked at before any linear program is solved.
//!
//! Compare Verdoolaege, "Integer set coalescing" (IMPACT 2015).
mod dimension;
mod pair;
mod piece;
mod segment;
#[cfg(test)]
mod tests;
mod wrapping;

use crate::core::basic_relation::has_unknown_locals;
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::map::{Map, Pieces};
use crate::core::set::Set;
use pair::{Merged, merged};
use piece::Piece;

/// Merges until no pair of pieces can be merged.
fn coalesced(map: &Map, budget: &Budget) -> Result<Pieces> {
    let mut done: Vec<Piece> = Vec::with_capacity(map.basics.len());
    let mut pending: Vec<Piece> = map.basics.iter().rev().cloned().map(Piece::new).collect();
    'next: while let Some(mut piece) = pending.pop() {
        if done.iter().any(|other| other.basic.plain_is_equal(&piece.basic)) {
            continue;
        }
        let is_explicit = !has_unknown_locals(&piece.basic.inner);
        let mut index = 0;
        while index < done.len() {
            let other = &mut done[index];
            if !is_explicit || has_unknown_locals(&other.basic.inner) {
                index += 1;
                continue;
            }
            budget.spend_on([other.data(), piece.data()], "coalesce")?;
            match merged(other, &mut piece, budget)? {
                Merged::Neither => index += 1,
                Merged::First => continue 'next,
                Merged::Second => {
                    done.remove(index);
                }
                Merged::Both(merged) => {
                    done.remove(index);
                    pending.push(*merged);
                    continue 'next;
                }
            }
        }
        done.push(piece);
    }
    let mut basics = Pieces::with_capacity(done.len());
    for mut piece in done {
        if !piece.is_empty(budget)? {
            basics.push(piece.basic);
        }
    }
    Ok(basics)
}

impl Map {
    /// The same points in fewer basic pieces: if there are several, empty pieces vanish, and pairs
    /// of pieces are merged whose union is described by constraints of the pieces or by turning
    /// these a little.
    ///
    /// The cost is quadratic in the number of pieces; most pairs need no linear program.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map, Set};
    /// let map = Map::parse("{ [i] -> [j] : j > i or j = i; [i] -> [j] : j > 3 + i }")?;
    /// assert_eq!(map.coalesce(&Budget::unlimited())?.to_string(), "{ [i] -> [j] : j >= i }");
    /// let set = Set::parse("{ [i, j] : 0 <= i, j <= 9; [10, j] : 1 <= j <= 8 }")?;
    /// assert_eq!(set.coalesce(&Budget::unlimited())?.basic_sets().len(), 1);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        if self.basics.len() <= 1 {
            return Ok(self.clone());
        }
        let basics = coalesced(self, budget).during("coalesce")?;
        Ok(Map { space: self.space.clone(), basics })
    }

    /// The same with fewer pieces if they are found within `limit` steps, otherwise unchanged.
    ///
    /// For callers that save work by fewer pieces and need none: it fails for no limit. The steps are charged
    /// to `budget`.
    ///
    /// Cost: at most `limit` steps; nothing for a single piece.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j = i] : 0 <= i <= 4 or 5 <= i <= 9 }")?;
    /// let budget = &Budget::unlimited();
    /// assert_eq!(map.coalesce_up_to(10_000, budget)?.basic_maps().len(), 1);
    /// assert_eq!(map.coalesce_up_to(1, budget)?.basic_maps().len(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Map::coalesce`], never [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn coalesce_up_to(&self, limit: u64, budget: &Budget) -> Result<Self> {
        if self.basics.len() <= 1 {
            return Ok(self.clone());
        }
        let part = budget.part(limit);
        let found = self.coalesce(&part);
        budget.charge(&part);
        match found {
            Err(Error::Exceeded { .. }) => Ok(self.clone()),
            other => other,
        }
    }
}

impl Set {
    /// The same points in fewer basic pieces, see [`Map::coalesce`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("{ [i] : 0 <= i <= 4 or 3 <= i <= 9 or i = 10 }")?;
    /// assert_eq!(set.coalesce(&Budget::unlimited())?.to_string(), "{ [i] : 0 <= i <= 10 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::coalesce`].
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        self.0.coalesce(budget).map(Set)
    }
}
