//! The textual order of disjoint pieces.
//!
//! For two disjoint convex pieces one comes before the other for all common values of the outer
//! dimensions, or there are none and any order will do. Quilleré, Rajopadhye, Wilde say that these
//! pairwise orders always fit together. They do not: with two outer dimensions or parameters,
//! three pieces can each come before the next in a different corner. Such a cycle is
//! broken by cutting all its pieces at the values for which two of them meet; what cannot be
//! broken (interleaved pieces with strides) gets one loop over all of it. If that loop has no bounds,
//! as for `{ n }` with even `n` and `{ 1 }`, the pieces are cut at the outer values for which one follows
//! the other.
use crate::cut::connected_components::{components, may_follow, where_following};
use crate::cut::hulls::bounded_hull;
use crate::level::Level;
use loopwright_presburger::*;

/// How often the pieces of a cycle are cut before they are merged.
const MOST_CUTS: usize = 6;

/// The pieces of values of a level in an order that is right where what is known holds. Pieces
/// in a cycle are cut at outer values; if that does not help, all pieces are merged.
pub(crate) fn ordered(pieces: Vec<BasicSet>, level: Level<'_>) -> Result<Vec<BasicSet>> {
    Order { dimension: level.dimension, budget: level.budget }.ordered(
        pieces,
        level.known,
        MOST_CUTS,
    )
}

/// Disjoint sets as ranges of values of a level, in order.
pub(crate) fn ordered_ranges(parts: Vec<Set>, level: Level<'_>) -> Result<Vec<BasicSet>> {
    let mut pieces = Vec::new();
    for part in parts {
        pieces.extend(part.make_disjoint(level.budget)?.basic_sets());
    }
    ordered(pieces, level)
}

struct Order<'a> {
    dimension: usize,
    budget: &'a Budget,
}

/// The pieces at a part of the outer values.
struct Cell {
    cell: Set,
    known: Set,
    pieces: Vec<BasicSet>,
}

impl Order<'_> {
    fn level<'k>(&'k self, known: &'k Set) -> Level<'k> {
        Level { dimension: self.dimension, known, budget: self.budget }
    }

    /// The pieces in order, or one loop for all of them wherever there is no order.
    ///
    /// # Errors
    /// If that loop would have no bounds.
    fn ordered(&self, pieces: Vec<BasicSet>, known: &Set, cuts: usize) -> Result<Vec<BasicSet>> {
        if let Some(sorted) = self.sorted(&pieces, known, cuts)? {
            return Ok(sorted);
        }
        if let Some(ordered) =
            self.ordered_by_cells(self.meetings(&pieces)?, &pieces, known, cuts)?
        {
            return Ok(ordered);
        }
        let union = Set::from_basic_sets(pieces[0].space().clone(), pieces.clone());
        let hull = bounded_hull(&union, self.level(known));
        if hull.is_err()
            && let parts = self.orders(&pieces)?
            && let Some(ordered) = self.ordered_by_cells(parts, &pieces, known, cuts)?
        {
            return Ok(ordered);
        }
        Ok(vec![hull?])
    }

    /// The pieces ordered in each of the cells that the first of the parts makes that is a cut.
    ///
    /// All pieces are cut, as the hull of some of them may cover others.
    fn ordered_by_cells(
        &self,
        parts: Vec<Set>,
        pieces: &[BasicSet],
        known: &Set,
        cuts: usize,
    ) -> Result<Option<Vec<BasicSet>>> {
        for part in parts.iter().filter(|_| cuts > 0) {
            let Some(cells) = self.cells(part, pieces, known)? else { continue };
            let mut result = Vec::new();
            for Cell { cell, known, pieces } in cells {
                let ordered = self.ordered(pieces, &known, cuts - 1)?;
                // A hull of several pieces may reach into other cells.
                result.extend(self.restricted(&ordered, &cell, &known)?);
            }
            return Ok(Some(result));
        }
        Ok(None)
    }

    /// The pieces in order, those in cycles after cuts; none if there is no order.
    fn sorted(
        &self,
        pieces: &[BasicSet],
        known: &Set,
        cuts: usize,
    ) -> Result<Option<Vec<BasicSet>>> {
        if pieces.len() <= 1 {
            return Ok(Some(pieces.to_vec()));
        }
        let sets: Vec<Set> = pieces.iter().cloned().map(Set::from_basic_set).collect();
        let domains: Vec<&Set> = sets.iter().collect();
        let classes = components(&domains, self.dimension, |a, b| {
            may_follow(&sets[a], &sets[b], self.level(known))
        })?;
        let mut result = Vec::new();
        for class in classes {
            let members: Vec<BasicSet> = class.iter().map(|&i| pieces[i].clone()).collect();
            if members.len() == 1 {
                result.extend(members);
            } else if let Some(sorted) = self.sorted_by_cells(&members, known, cuts)? {
                result.extend(sorted);
            } else {
                return Ok(None);
            }
        }
        Ok(Some(result))
    }

    /// The pieces of a cycle, cut at the outer values for which two of them meet.
    fn sorted_by_cells(
        &self,
        pieces: &[BasicSet],
        known: &Set,
        cuts: usize,
    ) -> Result<Option<Vec<BasicSet>>> {
        for meeting in self.meetings(pieces)?.iter().filter(|_| cuts > 0) {
            let Some(cells) = self.cells(meeting, pieces, known)? else { continue };
            let mut result = Vec::new();
            for Cell { known, pieces, .. } in cells {
                let Some(sorted) = self.sorted(&pieces, &known, cuts - 1)? else {
                    return Ok(None);
                };
                result.extend(sorted);
            }
            return Ok(Some(result));
        }
        Ok(None)
    }

    /// The outer values for which two pieces meet, for every pair.
    fn meetings(&self, pieces: &[BasicSet]) -> Result<Vec<Set>> {
        let contexts: Vec<Set> = pieces.iter().map(|piece| self.context(piece)).collect();
        pairs(&contexts).map(|(first, second)| first.intersect(second)).collect()
    }

    /// The outer values for which the second of two pieces follows the first, for every pair.
    fn orders(&self, pieces: &[BasicSet]) -> Result<Vec<Set>> {
        let sets: Vec<Set> = pieces.iter().cloned().map(Set::from_basic_set).collect();
        let order = |(first, second)| where_following(first, second, self.dimension, self.budget);
        pairs(&sets).map(order).collect()
    }

    /// The pieces inside and outside of a part of the outer values, unless one of both is empty.
    fn cells(&self, part: &Set, pieces: &[BasicSet], known: &Set) -> Result<Option<Vec<Cell>>> {
        let rest = Set::universe(part.space().clone()).subtract(part, self.budget)?;
        if known.is_disjoint(part, self.budget)? || known.is_disjoint(&rest, self.budget)? {
            return Ok(None);
        }
        let mut cells = Vec::new();
        for side in [part, &rest] {
            for basic in side.make_disjoint(self.budget)?.basic_sets() {
                let cell = Set::from_basic_set(basic);
                let known = known.intersect(&cell)?;
                let pieces = self.restricted(pieces, &cell, &known)?;
                cells.push(Cell { cell, known, pieces });
            }
        }
        Ok(Some(cells))
    }

    /// The outer values for which a piece is not empty, or more.
    fn context(&self, piece: &BasicSet) -> Set {
        let context =
            Set::from_basic_set(piece.clone()).project_out(DimKind::Out, self.dimension, 1);
        context.remove_unknown_locals()
    }

    /// The pieces inside of a part of the outer values.
    fn restricted(&self, pieces: &[BasicSet], part: &Set, known: &Set) -> Result<Vec<BasicSet>> {
        let part = part.insert_dims(DimKind::Out, self.dimension, 1);
        let known = known.insert_dims(DimKind::Out, self.dimension, 1);
        let mut result = Vec::new();
        for piece in pieces {
            let inside = Set::from_basic_set(piece.clone()).intersect(&part)?;
            if !inside.intersect(&known)?.is_empty(self.budget)? {
                result.extend(inside.basic_sets());
            }
        }
        Ok(result)
    }
}

/// All pairs of elements, the earlier one first.
fn pairs<T>(list: &[T]) -> impl Iterator<Item = (&T, &T)> {
    let each =
        move |(position, first)| list[position + 1..].iter().map(move |second| (first, second));
    list.iter().enumerate().flat_map(each)
}
