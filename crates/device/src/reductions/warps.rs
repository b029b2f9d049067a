//! Trees whose steps are shuffles.
//!
//! The lanes of a warp combine their registers with those of lanes that are 16, 8, 4, 2 and 1 further, so
//! that the first lane has the value of the warp.
//!
//! In each step all lanes copy the register of another one (their own one, if there is none that far), and
//! all of them combine it. So nothing has a condition. What the lanes of the second half of a step have then
//! is used by nobody.
use super::groups::Reduced;
use super::partial::{Adding, Cells, Place, Step, Tree};
use crate::promotion::{Accessed, to_element};
use loopwright_exact::Int;
use loopwright_presburger::{Aff, Result, Set};
use loopwright_schedule::ShuffleMark;

/// The lanes of a warp.
const LANES: i64 = ShuffleMark::LANES as i64;

/// Whether so many values are combined by shuffles: those of one warp. (Of several warps the proof of the
/// tree takes longer than its budget.)
pub(super) fn are_a_warp(width: i64) -> bool {
    width == LANES
}

impl Adding<'_, '_> {
    /// The tree of registers of some threads of each block.
    pub(super) fn warps(
        &mut self,
        (reduced, executed): (&Reduced, &Set),
        own: Cells,
        (name, width, blocks): (&str, i64, i64),
    ) -> Result<Tree> {
        let array = reduced.array;
        let other = self.registers((array, &format!("{name}_other")));
        let arrays = vec![own.marked(), other.marked()];
        let of = (reduced, executed);
        let steps = self.shuffled(of, (&own, &other), (LANES, width, blocks))?;
        Ok(Tree { arrays, put: None, steps, last: None, root: own })
    }

    /// The steps by which the first lane gets what so many lanes from it on have, in the warps of some
    /// threads.
    fn shuffled(
        &mut self,
        (reduced, executed): (&Reduced, &Set),
        (own, other): (&Cells, &Cells),
        (lanes, threads, blocks): (i64, i64, i64),
    ) -> Result<Vec<Step>> {
        let name = self.promoting.scop.array(reduced.array).tuple_name.clone();
        let mut steps = Vec::new();
        let mut distance = lanes / 2;
        while distance > 0 {
            let wanted = format!("{name}_shuffle");
            let (domain, place) = self.place(executed, &wanted, &[blocks, threads])?;
            let from = self.of_lane(own, &place, distance)?;
            let to = self.cell(other, &place, &place.rest)?;
            let id = self.copy(&domain, reduced, to, from)?;
            let run = self.run(id, &place, place.rest[0].clone(), place.rest[1].clone());
            steps.push(Step { runs: vec![run], shuffle: u32::try_from(distance).ok() });
            let wanted = format!("{name}_combine");
            let (domain, place) = self.place(executed, &wanted, &[blocks, threads])?;
            let to = self.cell(own, &place, &place.rest)?;
            let from = self.cell(other, &place, &place.rest)?;
            let id = self.combine(&domain, reduced, (&to, &from))?;
            steps.push(Step::of(self.run(
                id,
                &place,
                place.rest[0].clone(),
                place.rest[1].clone(),
            )));
            distance /= 2;
        }
        Ok(steps)
    }

    /// The register of the lane that is some way further, or the own one.
    fn of_lane(&self, cells: &Cells, place: &Place, distance: i64) -> Result<Accessed> {
        let thread = &place.rest[1];
        let lane = thread.modulo(&Int::from(LANES));
        let last = Aff::constant(&place.space, &Int::from(LANES - 1 - distance));
        let is_there = last.sub(&lane)?.nonneg_set();
        let is_none = lane.sub(&last)?.positive_set();
        let outer = [&place.outer[..], &place.rest[..1]].concat();
        let at = |thread: Aff| {
            to_element(&place.space, &cells.elements_name, &[&outer[..], &[thread]].concat())
        };
        let other = at(thread.add_constant(&Int::from(distance)))?.intersect_domain(&is_there)?;
        let own = at(thread.clone())?.intersect_domain(&is_none)?;
        Ok(cells.related(other.union(&own)?, &[]))
    }
}
