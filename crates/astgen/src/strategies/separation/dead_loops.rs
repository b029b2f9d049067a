//! The second separation: loops that are empty for a part of the values outside.
//!
//! Quilleré, Rajopadhye, Wilde, section 5.4 (figure 12 in corrected form): the pieces of the next
//! dimension are projected back; where one of them is empty and another is not, the loop
//! around is split.
use crate::cut::regions::separated;
use crate::descent::Descent;
use crate::model::statement::Statement;
use crate::options::strategy::Separation;
use loopwright_presburger::*;

impl Descent<'_> {
    /// The parts of the values of dimension `level`, cut so that in each of them a piece of the next
    /// dimension has values either throughout or nowhere.
    pub(super) fn without_dead_loops(
        &self,
        choices: &Separation,
        parts: Vec<Set>,
        statements: &[&Statement],
        known: &Set,
        level: usize,
    ) -> Result<Vec<Set>> {
        if statements.iter().any(|statement| statement.depth() <= level + 1) {
            return Ok(parts);
        }
        let inner = Separation { remove_dead_loops: false, ..*choices };
        let outside = known.insert_dims(DimKind::Out, level, 1);
        let mut result = Vec::new();
        for part in parts {
            let inside = outside.intersect(&part)?;
            let pieces = self.separation_pieces(&inner, statements, &inside, level + 1)?;
            let mut shadows = Vec::new();
            for piece in pieces {
                let shadow = Set::from_basic_set(piece).project_out(DimKind::Out, level + 1, 1);
                shadows.push(shadow.remove_divs().intersect(&part)?);
            }
            result.extend(separated(&shadows, Some(known), self.budget)?);
        }
        Ok(result)
    }
}
