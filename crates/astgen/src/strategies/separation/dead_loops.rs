//! The second separation: loops that are empty for a part of the values outside.
//!
//! Quilleré, Rajopadhye, Wilde, section 5.4 (figure 12 in corrected form): the pieces of the next
//! dimension are projected back; where one of them is empty and another is not, the loop
//! around is split.
use crate::cut::regions::separated;
use crate::level::Level;
use loopwright_presburger::*;

/// A part of the values of a level, cut so that each of `pieces`, of the values of the next level,
/// has some either throughout or nowhere.
pub(super) fn cut_at_ends(part: &Set, pieces: Vec<BasicSet>, level: Level<'_>) -> Result<Vec<Set>> {
    let mut shadows = Vec::new();
    for piece in pieces {
        let shadow = Set::from_basic_set(piece).project_out(DimKind::Out, level.dimension + 1, 1);
        shadows.push(shadow.remove_locals().intersect(part)?);
    }
    separated(&shadows, Some(level.known), level.budget)
}
