//! The textual order of disjoint pieces.
//!
//! For two disjoint convex pieces one comes before the other for all common values of the outer
//! dimensions, or there are none and any order will do. Quilleré, Rajopadhye, Wilde say that these
//! pairwise orders always fit together. They do not: with two outer dimensions or parameters,
//! three pieces can each come before the next in a different corner. Such a cycle is
//! broken by cutting all its pieces at the values for which two of them meet; what cannot be
//! broken (interleaved pieces with strides) gets one loop over all of it.
use crate::components::{components, may_follow};
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
            match members.len() {
                1 => result.extend(members),
                _ => match self.cut(&members, known, cuts)? {
                    Some(ordered) => result.extend(ordered),
                    None => return self.merged(&sets, known),
                },
            }
        }
        Ok(result)
    }

    /// All pieces in one loop.
    fn merged(&self, sets: &[Set], known: &Set) -> Result<Vec<BasicSet>> {
        let pieces = sets.iter().flat_map(Set::basic_sets).collect();
        let union = Set::from_basic_sets(sets[0].space().clone(), pieces);
        Ok(vec![bounded_hull(&union, known, self.level, self.budget)?])
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
                let inside = known.intersect(&meeting)?;
                let outside = known.subtract(&meeting, self.budget)?;
                if inside.is_empty(self.budget)? || outside.is_empty(self.budget)? {
                    continue;
                }
                let mut result =
                    self.sorted(self.restricted(pieces, &meeting, &inside)?, &inside, cuts - 1)?;
                let rest =
                    Set::universe(meeting.space().clone()).subtract(&meeting, self.budget)?;
                for side in rest.make_disjoint(self.budget)?.basic_sets() {
                    let side = Set::from_basic_set(side);
                    let known = known.intersect(&side)?;
                    let pieces = self.restricted(pieces, &side, &known)?;
                    result.extend(self.sorted(pieces, &known, cuts - 1)?);
                }
                return Ok(Some(result));
            }
        }
        Ok(None)
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
