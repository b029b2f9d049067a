//! Affine functions that are non-negative on a polyhedron.
//!
//! The affine form of Farkas' lemma says that `c . x + d >= 0` on a non-empty polyhedron `P` if and
//! only if it is a non-negative combination of the constraints of `P`. "Scheduling for PPCG"
//! (section 6.3) obtains the constraints on `(c, d)` by eliminating the multipliers of that
//! combination. The same constraints come directly from the *generators* of `P` (the equivalent
//! vertex method of the report), since a function is non-negative on `P` if and only if its
//! homogeneous form is non-negative on all rays, and zero on all lines, of the cone over `P`:
//! one constraint on `(c, d)` for each generator, irredundant by construction.
//!
//! This form has three advantages here:
//! * projecting a polyhedron (dropping existentials, passing from pairs `x -> y` to differences
//!   `y - x`, or from coordinates of statements to members of bands) is a linear map of generators;
//! * the convex hull of a union is the union of the generators;
//! * validity, proximity, coincidence and carrying only differ in the function that is applied to
//!   one and the same set of generators.
use crate::algebra::echelon::Echelon;
use crate::algebra::rows::narrow;
use crate::algebra::vectors::{Vector, lowest_terms};
use loopwright_presburger::{Budget, Cone, ConstraintSet, Result, Row};
use rustc_hash::FxHashSet;

/// The generators of a cone: free directions and rays, without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Generators {
    /// Directions `v` such that both `v` and `-v` belong to the cone.
    pub(crate) lines: Vec<Vector>,
    /// Further generators.
    pub(crate) rays: Vec<Vector>,
}

impl Generators {
    /// The generators of a cone after a linear map of its coordinates.
    pub(crate) fn of_cone(cone: &Cone, map: impl Fn(&[i64]) -> Vec<i128>) -> Result<Self> {
        let lines =
            cone.lines().iter().map(|line| narrow(line).and_then(|line| lowest_terms(&map(&line))));
        let rays = cone.rays().map(|ray| narrow(ray).and_then(|ray| lowest_terms(&map(&ray))));
        Generators::collect(lines, rays)
    }

    /// The numbers that it has.
    pub(crate) fn n_words(&self) -> usize {
        self.lines.iter().chain(&self.rays).map(Vec::len).sum()
    }

    /// The generators of the image under a linear map.
    pub(crate) fn map(&self, map: impl Fn(&[i64]) -> Vec<i128>) -> Result<Self> {
        let lines = self.lines.iter().map(|line| lowest_terms(&map(line)));
        let rays = self.rays.iter().map(|ray| lowest_terms(&map(ray)));
        Generators::collect(lines, rays)
    }

    /// Those that are not zero, each of them once: there may be as many as a box has corners.
    fn collect(
        lines: impl Iterator<Item = Result<Vector>>,
        rays: impl Iterator<Item = Result<Vector>>,
    ) -> Result<Self> {
        let (mut known_lines, mut known_rays) = (FxHashSet::default(), FxHashSet::default());
        let mut generators = Generators::default();
        for line in lines {
            let mut line = line?;
            let Some(&first) = line.iter().find(|&&entry| entry != 0) else { continue };
            if first < 0 {
                line.iter_mut().for_each(|entry| *entry = -*entry);
            }
            add_new(&mut generators.lines, &mut known_lines, line);
        }
        for ray in rays {
            let ray = ray?;
            if ray.iter().any(|&entry| entry != 0) {
                add_new(&mut generators.rays, &mut known_rays, ray);
            }
        }
        Ok(generators)
    }

    /// The generators of the convex hull of both.
    pub(crate) fn unite(&mut self, other: &Generators) {
        let mut known: FxHashSet<Vector> = self.lines.iter().cloned().collect();
        for line in &other.lines {
            add_new(&mut self.lines, &mut known, line.clone());
        }
        let mut known: FxHashSet<Vector> = self.rays.iter().cloned().collect();
        for ray in &other.rays {
            add_new(&mut self.rays, &mut known, ray.clone());
        }
    }

    /// A basis of the linear hull.
    pub(crate) fn linear_hull(&self) -> Result<Vec<Vector>> {
        let mut echelon = Echelon::default();
        for vector in self.lines.iter().chain(&self.rays) {
            echelon.insert(vector)?;
        }
        Ok(echelon.rows().cloned().collect())
    }

    /// The same cone from as few generators as possible.
    ///
    /// The extreme rays of the dual cone are computed; a generator is needed exactly if no other
    /// one is tight for the same or for more of them.
    pub(crate) fn irredundant(self, budget: &Budget) -> Result<Self> {
        let few = self.rays.len() <= 2 && self.lines.len() <= 1;
        if few || self.rays.len() > 64 {
            return Ok(self);
        }
        let width = self.rays.first().or(self.lines.first()).map_or(0, Vec::len);
        let mut dual = Cone::universe(width);
        for line in &self.lines {
            dual.add_equality(&Row::from_i64s(line), budget)?;
        }
        for ray in &self.rays {
            dual.add_inequality(&Row::from_i64s(ray), budget)?;
        }
        let dual_rays: Vec<&ConstraintSet> = dual.tight().collect();
        let mut kept = Generators { lines: self.lines.clone(), rays: Vec::new() };
        let tight = |i: usize| -> Vec<bool> { dual_rays.iter().map(|t| t.contains(i)).collect() };
        let sets: Vec<Vec<bool>> = (0..self.rays.len()).map(tight).collect();
        let contains = |a: &[bool], b: &[bool]| a.iter().zip(b).all(|(a, b)| *a || !*b);
        for (i, ray) in self.rays.iter().enumerate() {
            if sets[i].iter().all(|&t| t) {
                kept.lines.push(ray.clone()); // tight everywhere: its negative belongs to the cone
                continue;
            }
            let dominated = sets.iter().enumerate().any(|(j, other)| {
                let implicit = other.iter().all(|&t| t);
                j != i
                    && !implicit
                    && contains(other, &sets[i])
                    && (!contains(&sets[i], other) || j < i)
            });
            if !dominated {
                kept.rays.push(ray.clone());
            }
        }
        kept.lines = Echelon::of(&kept.lines)?.rows().cloned().collect();
        Ok(kept)
    }
}

fn add_new(vectors: &mut Vec<Vector>, known: &mut FxHashSet<Vector>, vector: Vector) {
    if known.insert(vector.clone()) {
        vectors.push(vector);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generators(rays: &[&[i64]]) -> Generators {
        Generators { lines: Vec::new(), rays: rays.iter().map(|r| r.to_vec()).collect() }
    }

    #[test]
    fn an_inner_ray_is_redundant() {
        let reduced = generators(&[&[1, 0], &[1, 1], &[0, 1]]).irredundant(&Budget::unlimited());
        assert_eq!(reduced.unwrap().rays, [vec![1, 0], vec![0, 1]]);
    }

    #[test]
    fn opposite_rays_are_a_line() {
        let reduced = generators(&[&[1, 0], &[-1, 0], &[1, 1]]).irredundant(&Budget::unlimited());
        let reduced = reduced.unwrap();
        assert_eq!(reduced.lines, [vec![1, 0]]);
        assert_eq!(reduced.rays.len(), 1);
    }

    #[test]
    fn rays_that_span_everything_become_lines() {
        let all = generators(&[&[1, 0], &[-1, 0], &[0, 1], &[0, -1]]);
        let reduced = all.irredundant(&Budget::unlimited()).unwrap();
        assert_eq!(reduced.lines.len(), 2);
        assert!(reduced.rays.is_empty());
    }
}
