//! Trees whose steps are shuffles.
//!
//! The lanes of a warp combine their registers with those of lanes that are 16, 8, 4, 2 and 1 further, so that the first lane has the value of the warp. One
//! value of each warp goes to shared memory, behind one barrier the first warp has these in its lanes, and combines them in the same way.
//!
//! In each step all lanes copy the register of another one (their own one, if there is none that far), and all of them combine it. So nothing has a
//! condition. What the lanes of the second half of a step have then is used by nobody.
use super::groups::Reduced;
use super::partial::{Adding, Cells, Place, Step, Tree};
use crate::promotion::{Accessed, Run, to_element};
use loopwright_exact::Int;
use loopwright_presburger::{Aff, Result, Set};
use loopwright_schedule::ShuffleMark;

/// The lanes of a warp.
const LANES: i64 = ShuffleMark::LANES as i64;

/// Whether so many values are combined by shuffles: whole warps of them, and at most as many of these as a warp has lanes.
pub(super) fn are_whole_warps(width: i64) -> bool {
    width % LANES == 0 && width <= LANES * LANES
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
        let mut arrays = vec![own.marked(), other.marked()];
        let of = (reduced, executed);
        let mut steps = self.shuffled(of, (&own, &other), (LANES, width, blocks))?;
        let mut root = own;
        if width > LANES {
            let n_warps = width / LANES;
            let part = self.shared((array, &format!("{name}_part")), n_warps);
            let lane = self.registers((array, &format!("{name}_lane")));
            arrays.extend([lane.marked(), part.marked()]);
            let put =
                self.put_of_warps(of, (&root, &part), (&format!("{name}_put"), width, blocks))?;
            // In the loop over threads of the last step, so that a condition tells the first lanes, and no loop has steps.
            if let Some(last) = steps.last_mut() {
                last.runs.push(put);
            }
            let wanted = format!("{name}_take");
            let (domain, place) = self.place(executed, &wanted, &[blocks, LANES])?;
            let (block, thread) = (place.rest[0].clone(), place.rest[1].clone());
            let warp = thread.modulo(&Int::from(n_warps));
            let from = self.cell(&part, &place, &[block.clone(), warp])?;
            let to = self.cell(&lane, &place, &place.rest)?;
            let id = self.copy(&domain, reduced, to, from)?;
            steps.push(Step::of(self.run(id, &place, block, thread)));
            steps.extend(self.shuffled(of, (&lane, &other), (n_warps, LANES, blocks))?);
            root = lane;
        }
        Ok(Tree { arrays, put: None, steps, last: None, root })
    }

    /// Copies the value of the first lane of each warp to shared memory.
    fn put_of_warps(
        &mut self,
        (reduced, executed): (&Reduced, &Set),
        (own, part): (&Cells, &Cells),
        (wanted, width, blocks): (&str, i64, i64),
    ) -> Result<Run> {
        let (domain, place) = self.place(executed, wanted, &[blocks, width / LANES])?;
        let block = place.rest[0].clone();
        let thread = place.rest[1].scale(&Int::from(LANES));
        let from = self.cell(own, &place, &[block.clone(), thread.clone()])?;
        let to = self.cell(part, &place, &place.rest)?;
        let id = self.copy(&domain, reduced, to, from)?;
        Ok(self.run(id, &place, block, thread))
    }

    /// The steps by which the first lane gets what so many lanes from it on have, in the warps of some threads.
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
