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
use crate::common_columns::{Adopted, has_unknown_locals, over_common_columns};
use crate::parametric_lexmin::{negation, tightened};
use crate::point_search::PointSearch;
use crate::subtract::plainly_implies;
use crate::*;

/// Pairs of violated constraints that are tried before a merge is given up.
const MAX_PAIRS: usize = 12;

/// A piece with the questions that are asked about it.
struct Piece {
    basic: BasicMap,
    sides: Vec<Side>,
    search: PointSearch,
}

/// An inequality, or one half of an equality, and the inequality of the points that violate it.
#[derive(Clone)]
struct Side {
    row: Row,
    violation: Row,
}

fn sides(constraints: &Adopted) -> Vec<Side> {
    let side = |row: Row| Side { violation: tightened(&negation(&row)), row };
    constraints.halves().into_iter().map(side).collect()
}

impl Piece {
    fn new(basic: BasicMap) -> Self {
        let constraints = Adopted {
            equalities: basic.inner.equalities.clone(),
            inequalities: basic.inner.inequalities.clone(),
        };
        Piece { sides: sides(&constraints), search: PointSearch::new(&basic.inner), basic }
    }

    /// Two pieces over the same columns, in the given space.
    fn over_common_columns(a: &BasicMap, b: &BasicMap) -> [Piece; 2] {
        let (columns, constraints) = over_common_columns(&[a.clone(), b.clone()], a.space());
        let piece = |own: &Adopted| {
            let system = own.system(&columns);
            let search = PointSearch::new(&system);
            Piece { basic: BasicMap::from_normal_data(system), sides: sides(own), search }
        };
        [piece(&constraints[0]), piece(&constraints[1])]
    }

    /// The number of the sides of another piece that known points violate.
    fn n_seen_violations(&self, other: &Piece) -> usize {
        other.sides.iter().filter(|side| self.search.is_seen(&side.violation)).count()
    }

    /// Whether some point violates a constraint.
    fn violates(&mut self, side: &Side, budget: &Budget) -> Result<bool> {
        Ok(self.search.is_seen(&side.violation)
            || !plainly_implies(&self.basic.inner, &side.row)
                && self.search.is_possible(&side.violation, budget)?)
    }
}

/// What the comparison of two pieces has found.
enum Merged {
    /// They stay as they are.
    Neither,
    /// The first contains the second.
    First,
    /// The second contains the first.
    Second,
    /// One basic relation with the points of both.
    Both(BasicMap),
}

/// One basic relation with the points of both, if there is one with their common constraints.
fn merged(a: &mut Piece, b: &mut Piece, budget: &Budget) -> Result<Merged> {
    if a.basic.locals() == b.basic.locals() {
        return merged_over_common_columns(a, b, budget);
    }
    let [mut a, mut b] = Piece::over_common_columns(&a.basic, &b.basic);
    merged_over_common_columns(&mut a, &mut b, budget)
}

fn merged_over_common_columns(a: &mut Piece, b: &mut Piece, budget: &Budget) -> Result<Merged> {
    if a.n_seen_violations(b) * b.n_seen_violations(a) > MAX_PAIRS {
        return Ok(Merged::Neither);
    }
    let Some(from_a) = Split::new(a, b, usize::MAX, budget)? else { return Ok(Merged::Neither) };
    if from_a.violated.is_empty() {
        return Ok(Merged::First);
    }
    let limit = MAX_PAIRS / from_a.violated.len();
    let Some(from_b) = Split::new(b, a, limit, budget)? else { return Ok(Merged::Neither) };
    if from_b.violated.is_empty() {
        return Ok(Merged::Second);
    }
    let mut common = BasicData::new(a.basic.space().clone(), a.basic.locals().to_vec());
    common.inequalities = [from_a.held, from_b.held].concat();
    let mut search = PointSearch::new(&common);
    for first in &from_a.violated {
        let mut outside = search.restricted(first.clone(), budget)?;
        for second in &from_b.violated {
            if outside.is_possible(second, budget)? {
                return Ok(Merged::Neither);
            }
        }
    }
    Ok(Merged::Both(BasicMap::from_data(common)))
}

/// The constraints of one piece beside another one.
#[derive(Default)]
struct Split {
    /// Those that hold on all of the other piece.
    held: Vec<Row>,
    /// Where the other piece violates the rest.
    violated: Vec<Row>,
}

impl Split {
    /// None if more constraints than the limit are violated.
    fn new(own: &Piece, other: &mut Piece, limit: usize, budget: &Budget) -> Result<Option<Self>> {
        let mut split = Split::default();
        for side in &own.sides {
            if !other.violates(side, budget)? {
                split.held.push(side.row.clone());
            } else if split.violated.len() == limit {
                return Ok(None);
            } else {
                split.violated.push(side.violation.clone());
            }
        }
        Ok(Some(split))
    }
}

/// Merges until no pair of pieces can be merged.
fn coalesced(map: &Map, budget: &Budget) -> Result<Vec<BasicMap>> {
    if map.basics.len() == 1 && !map.basics[0].is_empty(budget)? {
        return Ok(map.basics.clone());
    }
    let mut done: Vec<Piece> = Vec::new();
    let mut pending: Vec<BasicMap> = map.basics.iter().rev().cloned().collect();
    'next: while let Some(basic) = pending.pop() {
        if done.iter().any(|other| other.basic.plain_is_equal(&basic)) {
            continue;
        }
        let mut piece = Piece::new(basic);
        if piece.search.is_empty(budget)? {
            continue;
        }
        let is_explicit = !has_unknown_locals(&piece.basic.inner);
        for index in 0..done.len() {
            let other = &mut done[index];
            if !is_explicit || has_unknown_locals(&other.basic.inner) {
                continue;
            }
            let merged = match merged(other, &mut piece, budget)? {
                Merged::Neither => continue,
                Merged::First => continue 'next,
                Merged::Second => piece.basic,
                Merged::Both(merged) => merged,
            };
            done.remove(index);
            pending.push(merged);
            continue 'next;
        }
        done.push(piece);
    }
    Ok(done.into_iter().map(|piece| piece.basic).collect())
}

impl Map {
    /// The same points in fewer basic pieces: empty pieces vanish, and pairs of pieces whose union
    /// is described by constraints of the pieces are merged.
    ///
    /// The cost is quadratic in the number of pieces.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j] : j > i or j = i; [i] -> [j] : j > 3 + i }")?;
    /// assert_eq!(map.coalesce(&Budget::unlimited())?.to_string(), "{ [i] -> [j] : j >= i }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn coalesce(&self, budget: &Budget) -> Result<Self> {
        Ok(Map::from_basic_maps(self.space.clone(), coalesced(self, budget).during("coalesce")?))
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
