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
use crate::components::{components, may_follow, where_following};
use crate::pieces::bounded_hull;
use loopwright_presburger::*;

/// How often the pieces of a cycle are cut before they are merged.
const MOST_CUTS: usize = 6;

/// The pieces of values of dimension `level` in an order that is right where `known` holds. Pieces
/// in a cycle are cut at outer values; if that does not help, all pieces are merged.
pub(crate) fn ordered(
    pieces: Vec<BasicSet>,
    known: &Set,
    level: usize,
    budget: &Budget,
) -> Result<Vec<BasicSet>> {
    Order { level, budget }.sorted(pieces, known, MOST_CUTS)
}

struct Order<'a> {
    level: usize,
    budget: &'a Budget,
}

impl Order<'_> {
    fn sorted(&self, pieces: Vec<BasicSet>, known: &Set, cuts: usize) -> Result<Vec<BasicSet>> {
        if pieces.len() <= 1 {
            return Ok(pieces);
        }
        let sets: Vec<Set> = pieces.iter().cloned().map(Set::from_basic_set).collect();
        let classes = components(sets.len(), |a, b| {
            may_follow(&sets[a], &sets[b], known, self.level, self.budget)
        })?;
        let mut result = Vec::new();
        for class in classes {
            let members: Vec<BasicSet> = class.iter().map(|&i| pieces[i].clone()).collect();
            if members.len() == 1 {
                result.extend(members);
            } else if let Some(ordered) = self.cut(&members, known, cuts)? {
                result.extend(ordered);
            } else if let Ok(piece) = self.merged(&sets, known) {
                return Ok(vec![piece]);
            } else {
                result.extend(self.cut_where_following(&members, known, cuts)?);
            }
        }
        Ok(result)
    }

    /// All pieces in one loop.
    fn merged(&self, sets: &[Set], known: &Set) -> Result<BasicSet> {
        let pieces = sets.iter().flat_map(Set::basic_sets).collect();
        let union = Set::from_basic_sets(sets[0].space().clone(), pieces);
        bounded_hull(&union, known, self.level, self.budget)
    }

    /// The pieces of a cycle, cut at the outer values for which two of them meet.
    fn cut(&self, pieces: &[BasicSet], known: &Set, cuts: usize) -> Result<Option<Vec<BasicSet>>> {
        if cuts == 0 {
            return Ok(None);
        }
        let contexts: Vec<Set> = pieces.iter().map(|piece| self.context(piece)).collect();
        for (position, first) in contexts.iter().enumerate() {
            for second in &contexts[position + 1..] {
                let meeting = first.intersect(second)?;
                if let Some(ordered) = self.cut_at(&meeting, pieces, known, cuts)? {
                    return Ok(Some(ordered));
                }
            }
        }
        Ok(None)
    }

    /// The pieces of a cycle, cut at the outer values for which one of two follows the other.
    ///
    /// # Errors
    /// If there are no such values, or too many cuts.
    fn cut_where_following(
        &self,
        pieces: &[BasicSet],
        known: &Set,
        cuts: usize,
    ) -> Result<Vec<BasicSet>> {
        let sets: Vec<Set> = pieces.iter().cloned().map(Set::from_basic_set).collect();
        for (position, first) in sets.iter().enumerate().filter(|_| cuts > 0) {
            for second in &sets[position + 1..] {
                let following = where_following(first, second, self.level, self.budget)?;
                if let Some(ordered) = self.cut_at(&following, pieces, known, cuts)? {
                    return Ok(ordered);
                }
            }
        }
        Ok(vec![self.merged(&sets, known)?])
    }

    /// The ordered pieces inside and outside of a part of the outer values, unless one of both is empty.
    fn cut_at(
        &self,
        part: &Set,
        pieces: &[BasicSet],
        known: &Set,
        cuts: usize,
    ) -> Result<Option<Vec<BasicSet>>> {
        let rest = Set::universe(part.space().clone()).subtract(part, self.budget)?;
        if known.is_disjoint(part, self.budget)? || known.is_disjoint(&rest, self.budget)? {
            return Ok(None);
        }
        let mut result = Vec::new();
        for side in [part, &rest] {
            for cell in side.make_disjoint(self.budget)?.basic_sets() {
                let cell = Set::from_basic_set(cell);
                let known = known.intersect(&cell)?;
                let pieces = self.restricted(pieces, &cell, &known)?;
                let ordered = self.sorted(pieces, &known, cuts - 1)?;
                // A hull of several pieces may reach into other cells.
                result.extend(self.restricted(&ordered, &cell, &known)?);
            }
        }
        Ok(Some(result))
    }

    /// The outer values for which a piece is not empty, or more.
    fn context(&self, piece: &BasicSet) -> Set {
        let context = Set::from_basic_set(piece.clone()).project_out(DimKind::Out, self.level, 1);
        context.remove_unknown_divs()
    }

    /// The pieces inside of a part of the outer values.
    fn restricted(&self, pieces: &[BasicSet], part: &Set, known: &Set) -> Result<Vec<BasicSet>> {
        let part = part.insert_dims(DimKind::Out, self.level, 1);
        let known = known.insert_dims(DimKind::Out, self.level, 1);
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
