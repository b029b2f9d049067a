//! Generators of polyhedral cones by the double description method.
//!
//! A polyhedron `{ x : A x + b >= 0 }` is the section `x0 = 1` of the cone
//! `{ (x0, x) : A x + b x0 >= 0, x0 >= 0 }`, which is stored through its *generators*: lines (free
//! directions) and rays. Rays with `x0 > 0` are the vertices (scaled to integers), those with
//! `x0 = 0` the directions of recession.
//!
//! A constraint `h` is added as in Motzkin, Raiffa, Thompson and Thrall, "The double description
//! method" (1953), with the combinatorial adjacency test of Fukuda and Prodon, "Double description
//! method revisited" (1996):
//! * if a line leaves the hyperplane `h = 0`, all other generators are shifted along it onto the
//!   hyperplane and the line turns into a ray (for an equality: disappears);
//! * otherwise the rays on the wrong side go, and for each pair of *adjacent* rays on both sides
//!   the ray in which their plane meets the hyperplane comes in. Two rays are adjacent if and only
//!   if no third ray satisfies all the constraints tightly that both satisfy tightly. A pair with
//!   fewer common tight constraints than a face of two dimensions has is not adjacent.
//!
//! Rays are therefore always irredundant.
//!
//! # Simple rays
//! In a cone of dimension `d` (without its lines) the constraints that are tight at an extreme ray have rank
//! `d - 1`. If there are only `d - 1` of them, they are independent, so any `d - 2` of them are tight on a
//! face of two dimensions, which has exactly two extreme rays. So a ray that is *simple* in this
//! sense is adjacent to each ray that shares `d - 2` tight constraints with it, and no third ray has to
//! be looked at: what makes the method quadratic in the number of vertices of a box is saved. A
//! constraint that cuts nothing off when it is added is no constraint of the cone in this count: boxes
//! often come with each of their sides twice.
//!
//! # Images
//! Only the values of constraints at generators matter, never their coordinates. So the method works
//! just as well on a linear image of a cone, whose generators may be redundant: for the
//! cone of multipliers in Farkas' lemma ([`Cone::spanned`]), the rows combined take the place of
//! the multipliers themselves.
use crate::core::budget::Budget;
use crate::core::error::Result;
use loopwright_exact::{Int, Row};
use smallvec::SmallVec;

const OPERATION: &str = "double description";

/// The machine words of a ray that do not depend on its length.
const RAY_WORDS: usize = 24;

/// A set of inequalities, numbered in the order in which they were added.
///
/// ```
/// # use loopwright_presburger::{Budget, Cone, ConstraintSet, Row};
/// // 0 <= x <= 3: inequality 0 is 1 >= 0, 1 is x >= 0, 2 is 3 - x >= 0.
/// let rows = [Row::from_i64s(&[0, 1]), Row::from_i64s(&[3, -1])];
/// let segment = Cone::polyhedron(2, &[], &rows, &Budget::unlimited())?;
/// let tight: Vec<&ConstraintSet> = segment.tight().collect();
/// assert!(tight[0].contains(1) && tight[1].contains(2));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstraintSet(SmallVec<[u64; 4]>);

impl ConstraintSet {
    /// The set of the first `n` inequalities.
    fn first(n: usize) -> Self {
        let mut words: SmallVec<[u64; 4]> = smallvec::smallvec![u64::MAX; n / 64];
        if !n.is_multiple_of(64) {
            words.push((1 << (n % 64)) - 1);
        }
        ConstraintSet(words)
    }

    fn insert(&mut self, index: usize) {
        if index / 64 >= self.0.len() {
            self.0.resize(index / 64 + 1, 0);
        }
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn remove(&mut self, index: usize) {
        if let Some(word) = self.0.get_mut(index / 64) {
            *word &= !(1 << (index % 64));
        }
    }

    fn intersection(&self, other: &Self) -> Self {
        ConstraintSet(self.0.iter().zip(&other.0).map(|(mine, theirs)| mine & theirs).collect())
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn len_of_intersection(&self, other: &Self) -> usize {
        self.0
            .iter()
            .zip(&other.0)
            .map(|(mine, theirs)| (mine & theirs).count_ones() as usize)
            .sum()
    }

    /// Whether the inequality with this number is in the set.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Cone, Row};
    /// let rows = [Row::from_i64s(&[0, 1])];
    /// let half_line = Cone::polyhedron(2, &[], &rows, &Budget::unlimited())?;
    /// // The vertex x = 0 and the direction of x.
    /// let is_tight: Vec<bool> = half_line.tight().map(|set| set.contains(1)).collect();
    /// let vertex = half_line.rays().position(|ray| ray.sign(0) > 0).unwrap();
    /// assert!(is_tight[vertex] && !is_tight[1 - vertex]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn contains(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Whether all inequalities of this set are in the other one.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Cone, ConstraintSet, Row};
    /// let rows = [Row::from_i64s(&[0, 1]), Row::from_i64s(&[3, -1])];
    /// let segment = Cone::polyhedron(2, &[], &rows, &Budget::unlimited())?;
    /// let tight: Vec<&ConstraintSet> = segment.tight().collect();
    /// assert!(tight[0].is_subset(tight[0]) && !tight[0].is_subset(tight[1]));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn is_subset(&self, other: &Self) -> bool {
        let both = self.0.iter().zip(&other.0);
        let rest = self.0.get(other.0.len()..).unwrap_or_default();
        both.fold(0, |extra, (mine, theirs)| extra | (mine & !theirs)) == 0
            && rest.iter().all(|word| *word == 0)
    }
}

#[derive(Clone, Debug)]
struct Ray {
    vector: Row,
    /// The inequalities that hold with equality.
    tight: ConstraintSet,
}

/// A polyhedral cone, given by its generators.
///
/// ```
/// use loopwright_presburger::{Budget, Cone, Row};
/// // 0 <= x <= 3 over [1 | x]
/// let rows = [Row::from_i64s(&[0, 1]), Row::from_i64s(&[3, -1])];
/// let cone = Cone::polyhedron(2, &[], &rows, &Budget::unlimited()).unwrap();
/// assert!(cone.lines().is_empty());
/// let vertices: Vec<&Row> = cone.rays().collect();
/// assert_eq!(vertices, [&Row::from_i64s(&[1, 0]), &Row::from_i64s(&[1, 3])]);
/// ```
///
/// *Cost.* Exponential in the number of dimensions in the worst case: a cube of `n` dimensions has
/// `2^n` vertices.
#[derive(Clone, Debug)]
pub struct Cone {
    width: usize,
    lines: Vec<Row>,
    rays: Vec<Ray>,
    n_inequalities: usize,
    /// The dimension of the linear space of all points that satisfy the equalities.
    dimension: usize,
    /// The inequalities that cut something off when they were added: they describe the cone.
    essential: ConstraintSet,
}

impl Cone {
    /// The whole space of `width` dimensions.
    ///
    /// ```
    /// # use loopwright_presburger::Cone;
    /// let plane = Cone::universe(2);
    /// assert_eq!((plane.lines().len(), plane.rays().count()), (2, 0));
    /// ```
    pub fn universe(width: usize) -> Self {
        let lines = (0..width).map(|column| Row::unit(width, column)).collect();
        Cone {
            width,
            lines,
            rays: Vec::new(),
            n_inequalities: 0,
            dimension: width,
            essential: ConstraintSet::default(),
        }
    }

    /// The homogenized polyhedron of some constraints over `[1 | x]`.
    ///
    /// The inequality `1 >= 0`, which becomes `x0 >= 0`, has number 0.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Cone, Row};
    /// // x = y and x >= 1, over [1 | x | y]
    /// let equal = [Row::from_i64s(&[0, 1, -1])];
    /// let ray =
    ///     Cone::polyhedron(3, &equal, &[Row::from_i64s(&[-1, 1, 0])], &Budget::unlimited())?;
    /// let generators: Vec<&Row> = ray.rays().collect();
    /// assert_eq!(generators, [&Row::from_i64s(&[1, 1, 1]), &Row::from_i64s(&[0, 1, 1])]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    pub fn polyhedron(
        width: usize,
        equalities: &[Row],
        inequalities: &[Row],
        budget: &Budget,
    ) -> Result<Self> {
        let mut cone = Cone::universe(width);
        for row in equalities {
            cone.add_equality(row, budget)?;
        }
        cone.add_inequality(&Row::unit(width, 0), budget)?;
        for row in inequalities {
            cone.add_inequality(row, budget)?;
        }
        Ok(cone)
    }

    /// The image of the cone of all `(u, v)` with `v >= 0` under `u -> lines^T u`, `v -> rays^T v`:
    /// all combinations of the lines and non-negative combinations of the rays.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Cone, Row};
    /// let mut wedge =
    ///     Cone::spanned(vec![], vec![Row::from_i64s(&[1, 0]), Row::from_i64s(&[1, 2])]);
    /// // Only what lies above the diagonal.
    /// wedge.add_inequality(&Row::from_i64s(&[-1, 1]), &Budget::unlimited())?;
    /// let rays: Vec<&Row> = wedge.rays().collect();
    /// assert_eq!(rays, [&Row::from_i64s(&[1, 2]), &Row::from_i64s(&[1, 1])]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn spanned(lines: Vec<Row>, rays: Vec<Row>) -> Self {
        let n = rays.len();
        let dimension = lines.len() + n;
        let width = lines.first().or(rays.first()).map_or(0, Row::len);
        let rays = rays.into_iter().enumerate().map(|(index, vector)| {
            let mut tight = ConstraintSet::first(n);
            tight.remove(index);
            Ray { vector, tight }
        });
        let (rays, essential) = (rays.collect(), ConstraintSet::first(n));
        Cone { width, lines, rays, n_inequalities: n, dimension, essential }
    }

    /// The number of coordinates.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The free directions.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Cone, Row};
    /// let half_plane = Cone::polyhedron(2, &[], &[], &Budget::unlimited())?;
    /// // x is free: a line of the polyhedron.
    /// assert_eq!(half_plane.lines(), [Row::from_i64s(&[0, 1])]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn lines(&self) -> &[Row] {
        &self.lines
    }

    /// The extreme rays.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Cone, Row};
    /// let rows = [Row::from_i64s(&[-1, 2])];
    /// let half_line = Cone::polyhedron(2, &[], &rows, &Budget::unlimited())?;
    /// // The vertex 1/2 and the direction of x.
    /// let rays: Vec<&Row> = half_line.rays().collect();
    /// assert_eq!(rays, [&Row::from_i64s(&[2, 1]), &Row::from_i64s(&[0, 1])]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn rays(&self) -> impl Iterator<Item = &Row> {
        self.rays.iter().map(|ray| &ray.vector)
    }

    /// The inequalities (in the order of adding them) that each ray satisfies tightly.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Cone, Row};
    /// let rows = [Row::from_i64s(&[0, 1]), Row::from_i64s(&[3, -1])];
    /// let segment = Cone::polyhedron(2, &[], &rows, &Budget::unlimited())?;
    /// assert_eq!(segment.tight().count(), segment.rays().count());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn tight(&self) -> impl Iterator<Item = &ConstraintSet> {
        self.rays.iter().map(|ray| &ray.tight)
    }

    /// Whether the polyhedron has no rational point.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Cone, Row};
    /// let budget = &Budget::unlimited();
    /// // 2x = 1 has a rational point, x >= 1 and x <= 0 have none.
    /// let half = [Row::from_i64s(&[-1, 2])];
    /// assert!(!Cone::polyhedron(2, &half, &[], budget)?.is_rationally_empty());
    /// let rows = [Row::from_i64s(&[-1, 1]), Row::from_i64s(&[0, -1])];
    /// assert!(Cone::polyhedron(2, &[], &rows, budget)?.is_rationally_empty());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn is_rationally_empty(&self) -> bool {
        self.rays.iter().all(|ray| ray.vector.is_zero_at(0))
    }

    /// Whether some vertex of the polyhedron is an integer point.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Cone, Row};
    /// let budget = &Budget::unlimited();
    /// let half = [Row::from_i64s(&[-1, 2])];
    /// assert!(!Cone::polyhedron(2, &half, &[], budget)?.has_integer_vertex());
    /// let three = [Row::from_i64s(&[-3, 1])];
    /// assert!(Cone::polyhedron(2, &three, &[], budget)?.has_integer_vertex());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn has_integer_vertex(&self) -> bool {
        self.rays.iter().any(|ray| ray.vector.get(0).is_one())
    }

    /// Restricts the cone to `row >= 0`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Cone, Row};
    /// let budget = &Budget::unlimited();
    /// let mut cone = Cone::universe(2);
    /// cone.add_inequality(&Row::from_i64s(&[1, 0]), budget)?;
    /// assert_eq!((cone.lines().len(), cone.rays().count()), (1, 1));
    /// cone.add_inequality(&Row::from_i64s(&[0, 1]), budget)?;
    /// assert_eq!((cone.lines().len(), cone.rays().count()), (0, 2));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    ///
    /// # Panics
    /// If the row does not have [`Cone::universe`]'s width.
    pub fn add_inequality(&mut self, row: &Row, budget: &Budget) -> Result<()> {
        assert_eq!(row.len(), self.width, "the columns of a constraint on a cone");
        let index = self.n_inequalities;
        self.n_inequalities += 1;
        if let Some(line) = self.take_line_off(row) {
            self.rays.iter_mut().for_each(|ray| ray.tight.insert(index));
            self.rays.push(Ray { vector: line, tight: ConstraintSet::first(index) });
            self.essential.insert(index);
            return Ok(());
        }
        let values = self.values(row);
        if values.iter().any(Int::is_negative) {
            self.essential.insert(index);
        }
        let mut crossing = self.crossing_rays(&values, budget)?;
        let old = std::mem::take(&mut self.rays);
        for (mut ray, value) in old.into_iter().zip(values) {
            if value.is_zero() {
                ray.tight.insert(index);
            }
            if !value.is_negative() {
                self.rays.push(ray);
            }
        }
        crossing.iter_mut().for_each(|ray| ray.tight.insert(index));
        self.rays.append(&mut crossing);
        Ok(())
    }

    /// Restricts the cone to `row = 0`.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Cone, Row};
    /// let mut cone = Cone::universe(2);
    /// cone.add_equality(&Row::from_i64s(&[1, -1]), &Budget::unlimited())?;
    /// assert_eq!(cone.lines(), [Row::from_i64s(&[1, 1])]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// The budget is exceeded.
    ///
    /// # Panics
    /// If the row does not have [`Cone::universe`]'s width.
    pub fn add_equality(&mut self, row: &Row, budget: &Budget) -> Result<()> {
        assert_eq!(row.len(), self.width, "the columns of a constraint on a cone");
        if self.take_line_off(row).is_some() {
            self.dimension -= 1;
            return Ok(());
        }
        let values = self.values(row);
        if values.iter().all(Int::is_zero) {
            return Ok(());
        }
        let mut crossing = self.crossing_rays(&values, budget)?;
        self.dimension -= 1;
        let old = std::mem::take(&mut self.rays);
        let on_it = old.into_iter().zip(values).filter(|(_, value)| value.is_zero());
        self.rays = on_it.map(|(ray, _)| ray).collect();
        self.rays.append(&mut crossing);
        Ok(())
    }

    /// Forgets rays. What remains generates a smaller cone, whose rays may become redundant.
    pub(crate) fn retain_rays(&mut self, keep: impl Fn(&Row) -> bool) {
        self.rays.retain(|ray| keep(&ray.vector));
    }

    /// The number of pairs of rays on both sides of the hyperplane `column = 0`; none if a line
    /// leaves it.
    pub(crate) fn n_crossing(&self, column: usize) -> usize {
        if self.lines.iter().any(|line| !line.is_zero_at(column)) {
            return 0;
        }
        let count = |sign| self.rays.iter().filter(|ray| ray.vector.sign(column) == sign).count();
        count(1) * count(-1)
    }

    fn values(&self, row: &Row) -> Vec<Int> {
        self.rays.iter().map(|ray| row.dot(&ray.vector)).collect()
    }

    /// If a line leaves the hyperplane `row = 0`: removes it (oriented to the positive side) and
    /// shifts all other generators along it onto the hyperplane.
    fn take_line_off(&mut self, row: &Row) -> Option<Row> {
        let at = self.lines.iter().position(|line| !row.dot(line).is_zero())?;
        let mut line = self.lines.swap_remove(at);
        let mut value = row.dot(&line);
        if value.is_negative() {
            value = -value;
            line.negate();
        }
        let others = self.rays.iter_mut().map(|ray| &mut ray.vector).chain(&mut self.lines);
        for other in others {
            let off = row.dot(other);
            if !off.is_zero() {
                combine(other, &value, &-off, &line);
            }
        }
        Some(line)
    }

    /// The rays in the hyperplane between adjacent rays on both sides of it.
    fn crossing_rays(&self, values: &[Int], budget: &Budget) -> Result<Vec<Ray>> {
        let side = |sign| (0..values.len()).filter(move |&i| values[i].signum() == sign);
        // A face of two dimensions beyond the lines lies in so many independent hyperplanes.
        let negative: Vec<usize> = side(-1).collect();
        if negative.is_empty() {
            return Ok(Vec::new());
        }
        let least = (self.dimension - self.lines.len()).saturating_sub(2);
        let essential: Vec<ConstraintSet> =
            self.rays.iter().map(|ray| ray.tight.intersection(&self.essential)).collect();
        let mut crossing = Vec::new();
        for i in side(1) {
            budget.spend(1 + negative.len() as u64 / 4, OPERATION)?;
            let is_simple = essential[i].len() == least + 1;
            for &j in &negative {
                if essential[i].len_of_intersection(&essential[j]) < least {
                    continue;
                }
                if !is_simple && self.is_separated(i, j, &essential, budget)? {
                    continue;
                }
                let (ray, other) = (&self.rays[i], &self.rays[j]);
                let tight = ray.tight.intersection(&other.tight);
                budget.spend(self.width as u64, OPERATION)?;
                let n_rays = self.rays.len() + crossing.len();
                budget.keep(n_rays.saturating_mul(RAY_WORDS + self.width), OPERATION)?;
                let mut vector = ray.vector.clone();
                combine(&mut vector, &-&values[j], &values[i], &other.vector);
                crossing.push(Ray { vector, tight });
            }
        }
        Ok(crossing)
    }

    /// Whether a third ray is tight for all that two rays are both tight for: then they are not
    /// adjacent.
    fn is_separated(
        &self,
        i: usize,
        j: usize,
        essential: &[ConstraintSet],
        budget: &Budget,
    ) -> Result<bool> {
        budget.spend(1 + essential.len() as u64 / 16, OPERATION)?;
        let common = essential[i].intersection(&essential[j]);
        let mut others = essential.iter().enumerate().filter(|(k, _)| *k != i && *k != j);
        Ok(others.any(|(_, tight)| common.is_subset(tight)))
    }
}

/// `vector = a * vector + b * other` in lowest terms.
fn combine(vector: &mut Row, a: &Int, b: &Int, other: &Row) {
    let divisor = a.gcd(b);
    vector.combine_reduced(&a.div_exact(&divisor), &b.div_exact(&divisor), other);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[i64]]) -> Vec<Row> {
        rows.iter().map(|row| Row::from_i64s(row)).collect()
    }

    fn sorted(cone: &Cone) -> Vec<Vec<i64>> {
        let mut rays: Vec<Vec<i64>> =
            cone.rays().map(|ray| ray.as_i64s().unwrap().to_vec()).collect();
        rays.sort();
        rays
    }

    #[test]
    fn a_square_has_four_vertices() {
        let rows = rows(&[&[0, 1, 0], &[3, -1, 0], &[0, 0, 1], &[3, 0, -1]]);
        let cone = Cone::polyhedron(3, &[], &rows, &Budget::unlimited()).unwrap();
        assert!(cone.lines().is_empty());
        assert_eq!(sorted(&cone), [[1, 0, 0], [1, 0, 3], [1, 3, 0], [1, 3, 3]]);
    }

    #[test]
    fn a_parametric_interval_has_a_vertex_and_two_rays() {
        // 0 <= i < n over [1 | n | i]
        let rows = rows(&[&[0, 0, 1], &[-1, 1, -1]]);
        let cone = Cone::polyhedron(3, &[], &rows, &Budget::unlimited()).unwrap();
        assert_eq!(sorted(&cone), [[0, 1, 0], [0, 1, 1], [1, 1, 0]]);
    }

    #[test]
    fn an_equality_cuts_and_emptiness_shows() {
        let rows = rows(&[&[0, 1, 0], &[3, -1, 0], &[0, 0, 1], &[3, 0, -1]]);
        let mut cone = Cone::polyhedron(3, &[], &rows, &Budget::unlimited()).unwrap();
        cone.add_equality(&Row::from_i64s(&[-1, 1, 1]), &Budget::unlimited()).unwrap();
        assert_eq!(sorted(&cone), [[1, 0, 1], [1, 1, 0]]);
        cone.add_equality(&Row::from_i64s(&[-5, 1, 1]), &Budget::unlimited()).unwrap();
        assert!(cone.is_rationally_empty());
    }

    #[test]
    fn a_cube_has_a_vertex_for_each_corner() {
        let n = 6;
        let mut rows = Vec::new();
        for column in 1..=n {
            for (constant, sign) in [(0, 1), (1, -1)] {
                let mut row = Row::zeros(n + 1);
                row.set(0, Int::from(constant));
                row.set(column, Int::from(sign));
                rows.push(row);
            }
        }
        let cone = Cone::polyhedron(n + 1, &[], &rows, &Budget::unlimited()).unwrap();
        assert_eq!(cone.rays().count(), 64);
        let few = Budget::steps(50);
        assert!(Cone::polyhedron(n + 1, &[], &rows, &few).is_err());
    }

    /// The sides of a box, each of them twice as in relations between equal coordinates.
    fn sides(n: usize, extent: i64) -> Vec<Row> {
        let mut rows = Vec::new();
        for column in (1..=n).chain(1..=n) {
            for (constant, sign) in [(0, 1), (extent, -1)] {
                let mut row = Row::zeros(n + 1);
                row.set(0, Int::from(constant));
                row.set(column, Int::from(sign));
                rows.push(row);
            }
        }
        rows
    }

    /// No third rays are looked at: a few hundred steps for each of the 4096 vertices.
    #[test]
    fn the_vertices_of_a_box_cost_as_much_as_there_are() {
        let budget = Budget::steps(3_000_000);
        let cone = Cone::polyhedron(13, &[], &sides(12, 3), &budget).unwrap();
        assert_eq!(cone.rays().count(), 1 << 12);
    }

    /// A box with a thousand million vertices: steps or memory run out.
    #[test]
    fn too_many_rays_are_refused() {
        let budget = Budget::steps(30_000_000);
        let error = Cone::polyhedron(31, &[], &sides(30, 1), &budget).unwrap_err();
        assert!(matches!(error, crate::Error::Exceeded { operation: OPERATION, .. }));
    }

    /// The octahedron and the pyramid have rays that are tight for more than `d - 1` constraints; a
    /// box cut by their sides has both kinds of rays.
    #[test]
    fn rays_that_are_not_simple_are_told_apart() {
        let signs = [-1, 1];
        let mut octahedron = Vec::new();
        for x in signs {
            for y in signs {
                octahedron.extend(signs.map(|z| Row::from_i64s(&[3, x, y, z])));
            }
        }
        let unlimited = Budget::unlimited();
        let vertices =
            |rows: &[Row]| sorted(&Cone::polyhedron(4, &[], rows, &unlimited).unwrap()).len();
        assert_eq!(vertices(&octahedron), 6);
        let pyramid: Vec<Row> = octahedron.iter().filter(|row| row.sign(3) < 0).cloned().collect();
        let ground = Row::from_i64s(&[0, 0, 0, 1]);
        assert_eq!(vertices(&[&pyramid[..], &[ground]].concat()), 5);
        // |x|, |y|, |z| <= 2 cuts off six corners, four new vertices for each.
        let mut both: Vec<Row> = octahedron.clone();
        for column in 1..4 {
            for sign in signs {
                let mut row = Row::zeros(4);
                row.set(0, Int::from(2));
                row.set(column, Int::from(sign));
                both.push(row);
            }
        }
        assert_eq!(vertices(&both), 24);
        both.reverse();
        assert_eq!(vertices(&both), 24);
    }

    #[test]
    fn combinations_without_a_coordinate() {
        // x >= 0, y - x >= 0, 2 - y >= 0 over [1 | x | y]: what follows without y?
        let rows = rows(&[&[0, 1, 0], &[0, -1, 1], &[2, 0, -1]]);
        let mut cone = Cone::spanned(Vec::new(), rows);
        cone.add_equality(&Row::unit(3, 2), &Budget::unlimited()).unwrap();
        assert_eq!(sorted(&cone), [[0, 1, 0], [2, -1, 0]]);
    }
}
