//! Generators of polyhedral cones by the double description method.
//!
//! A polyhedron `{ x : A x + b >= 0 }` is stored as the cone `{ (x0, x) : A x + b x0 >= 0, x0 >= 0 }`
//! through its *generators*: lines (free directions) and rays. Rays with `x0 > 0` are the vertices
//! (scaled to integers), those with `x0 = 0` the directions of recession.
//!
//! A constraint `h` is added as in Motzkin, Raiffa, Thompson and Thrall (1953), with the
//! combinatorial adjacency test of Fukuda and Prodon, "Double description method revisited" (1996):
//! * if a line leaves the hyperplane `h = 0`, all other generators are shifted along it onto the
//!   hyperplane and the line turns into a ray (for an equality: disappears);
//! * otherwise the rays on the wrong side go, and for each pair of *adjacent* rays on both sides
//!   the ray in which their plane meets the hyperplane comes in. Two rays are adjacent if and only
//!   if no third ray satisfies all the constraints tightly that both satisfy tightly.
//!
//! Rays are therefore always irredundant. Entries are machine words in lowest terms, products are
//! taken in 128 bits; a cone that does not fit reports `Exceeded`.
use loopwright_presburger::{Budget, Error, Result};

/// An integer vector.
pub(crate) type Vector = Vec<i64>;

/// The most inequalities that one cone can take (one bit each).
const MAX_INEQUALITIES: u32 = 128;

/// Larger entries are refused, so that a few of them can be added and negated as machine words.
pub(crate) const MAX_ENTRY: i64 = i64::MAX / 4;

const OPERATION: &str = "the generators of a dependence";

#[derive(Clone, Debug)]
struct Ray {
    vector: Vector,
    /// The inequalities that hold with equality.
    tight: u128,
}

/// A polyhedral cone, given by its generators.
#[derive(Clone, Debug)]
pub(crate) struct Cone {
    lines: Vec<Vector>,
    rays: Vec<Ray>,
    n_inequalities: u32,
}

impl Cone {
    /// The whole space of `width` dimensions.
    pub(crate) fn universe(width: usize) -> Self {
        let unit = |i: usize| (0..width).map(|j| i64::from(i == j)).collect();
        Cone { lines: (0..width).map(unit).collect(), rays: Vec::new(), n_inequalities: 0 }
    }

    /// The homogenized polyhedron of some constraints over `[1 | x]`.
    pub(crate) fn polyhedron(
        width: usize,
        equalities: &[Vector],
        inequalities: &[Vector],
        budget: &Budget,
    ) -> Result<Self> {
        let mut cone = Cone::universe(width);
        for row in equalities {
            cone.add_equality(row, budget)?;
        }
        let homogeneous: Vector = (0..width).map(|j| i64::from(j == 0)).collect();
        cone.add_inequality(&homogeneous, budget)?;
        for row in inequalities {
            cone.add_inequality(row, budget)?;
        }
        Ok(cone)
    }

    /// The free directions.
    pub(crate) fn lines(&self) -> &[Vector] {
        &self.lines
    }

    /// The extreme rays.
    pub(crate) fn rays(&self) -> impl Iterator<Item = &Vector> {
        self.rays.iter().map(|ray| &ray.vector)
    }

    /// The inequalities (in the order of adding them) that each ray satisfies tightly.
    pub(crate) fn tight(&self) -> impl Iterator<Item = u128> {
        self.rays.iter().map(|ray| ray.tight)
    }

    /// Whether the polyhedron has no rational point.
    pub(crate) fn is_rationally_empty(&self) -> bool {
        self.rays.iter().all(|ray| ray.vector[0] == 0)
    }

    /// Whether some vertex of the polyhedron is an integer point.
    pub(crate) fn has_integer_vertex(&self) -> bool {
        self.rays.iter().any(|ray| ray.vector[0] == 1)
    }

    /// Restricts the cone to `row >= 0`.
    pub(crate) fn add_inequality(&mut self, row: &[i64], budget: &Budget) -> Result<()> {
        if self.n_inequalities == MAX_INEQUALITIES {
            return Err(Error::Exceeded { operation: OPERATION });
        }
        let bit = 1u128 << self.n_inequalities;
        let before = bit - 1;
        self.n_inequalities += 1;
        if let Some(line) = self.take_line_off(row)? {
            for ray in &mut self.rays {
                ray.tight |= bit;
            }
            self.rays.push(Ray { vector: line, tight: before });
            return Ok(());
        }
        let values = self.values(row);
        if values.iter().all(|&v| v >= 0) {
            for (ray, &value) in self.rays.iter_mut().zip(&values) {
                ray.tight |= if value == 0 { bit } else { 0 };
            }
            return Ok(());
        }
        let mut crossing = self.crossing_rays(&values, budget)?;
        let old = std::mem::take(&mut self.rays);
        for (mut ray, value) in old.into_iter().zip(values) {
            if value == 0 {
                ray.tight |= bit;
            }
            if value >= 0 {
                self.rays.push(ray);
            }
        }
        for ray in &mut crossing {
            ray.tight |= bit;
        }
        self.rays.append(&mut crossing);
        Ok(())
    }

    /// Restricts the cone to `row = 0`.
    pub(crate) fn add_equality(&mut self, row: &[i64], budget: &Budget) -> Result<()> {
        if self.take_line_off(row)?.is_some() {
            return Ok(());
        }
        let values = self.values(row);
        if values.iter().all(|&v| v == 0) {
            return Ok(());
        }
        let mut crossing = self.crossing_rays(&values, budget)?;
        let old = std::mem::take(&mut self.rays);
        self.rays = old.into_iter().zip(values).filter(|(_, v)| *v == 0).map(|(r, _)| r).collect();
        self.rays.append(&mut crossing);
        Ok(())
    }

    fn values(&self, row: &[i64]) -> Vec<i128> {
        self.rays.iter().map(|ray| dot(row, &ray.vector)).collect()
    }

    /// If a line leaves the hyperplane `row = 0`: removes it (oriented to the positive side) and
    /// shifts all other generators along it onto the hyperplane.
    fn take_line_off(&mut self, row: &[i64]) -> Result<Option<Vector>> {
        let Some(at) = self.lines.iter().position(|line| dot(row, line) != 0) else {
            return Ok(None);
        };
        let mut line = self.lines.swap_remove(at);
        let mut value = dot(row, &line);
        if value < 0 {
            value = -value;
            line.iter_mut().for_each(|entry| *entry = -*entry);
        }
        let others = self.rays.iter_mut().map(|ray| &mut ray.vector).chain(&mut self.lines);
        for other in others {
            let off = dot(row, other);
            if off != 0 {
                *other = combine(value, other, -off, &line)?;
            }
        }
        Ok(Some(line))
    }

    /// The rays in the hyperplane between adjacent rays on both sides of it.
    fn crossing_rays(&self, values: &[i128], budget: &Budget) -> Result<Vec<Ray>> {
        let mut crossing = Vec::new();
        for (i, positive) in self.rays.iter().enumerate().filter(|(i, _)| values[*i] > 0) {
            for (j, negative) in self.rays.iter().enumerate().filter(|(j, _)| values[*j] < 0) {
                let common = positive.tight & negative.tight;
                budget.spend(1 + self.rays.len() as u64 / 16, OPERATION)?;
                let between =
                    |(k, third): (usize, &Ray)| k != i && k != j && common & !third.tight == 0;
                if self.rays.iter().enumerate().any(between) {
                    continue;
                }
                let vector = combine(-values[j], &positive.vector, values[i], &negative.vector)?;
                crossing.push(Ray { vector, tight: common });
            }
        }
        Ok(crossing)
    }
}

/// The scalar product; exact as long as vectors have fewer than four billion entries.
pub(crate) fn dot(a: &[i64], b: &[i64]) -> i128 {
    a.iter().zip(b).map(|(&x, &y)| i128::from(x) * i128::from(y)).sum()
}

/// `a * x + b * y` in lowest terms.
fn combine(a: i128, x: &[i64], b: i128, y: &[i64]) -> Result<Vector> {
    let overflow = || Error::Exceeded { operation: OPERATION };
    let g = gcd(a, b).max(1);
    let (a, b) = (a / g, b / g);
    let mut sum = Vec::with_capacity(x.len());
    for (&x, &y) in x.iter().zip(y) {
        let left = a.checked_mul(i128::from(x)).ok_or_else(overflow)?;
        let right = b.checked_mul(i128::from(y)).ok_or_else(overflow)?;
        sum.push(left.checked_add(right).ok_or_else(overflow)?);
    }
    lowest_terms(&sum)
}

/// The vector divided by the greatest common divisor of its entries.
pub(crate) fn lowest_terms(vector: &[i128]) -> Result<Vector> {
    let divisor = vector.iter().fold(0, |g, &entry| gcd(g, entry)).max(1);
    let narrow =
        |&entry: &i128| i64::try_from(entry / divisor).ok().filter(|e| e.abs() <= MAX_ENTRY);
    vector.iter().map(narrow).collect::<Option<_>>().ok_or(Error::Exceeded { operation: OPERATION })
}

/// The greatest common divisor, not negative.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // Only the magnitude of `i128::MIN` does not fit, and no product of machine words reaches it.
    i128::try_from(a).unwrap_or(i128::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(cone: &Cone) -> Vec<Vector> {
        let mut rays: Vec<Vector> = cone.rays().cloned().collect();
        rays.sort();
        rays
    }

    #[test]
    fn a_square_has_four_vertices() {
        let rows = [vec![0, 1, 0], vec![3, -1, 0], vec![0, 0, 1], vec![3, 0, -1]];
        let cone = Cone::polyhedron(3, &[], &rows, &Budget::unlimited()).unwrap();
        assert!(cone.lines().is_empty());
        assert_eq!(sorted(&cone), [vec![1, 0, 0], vec![1, 0, 3], vec![1, 3, 0], vec![1, 3, 3]]);
    }

    #[test]
    fn a_parametric_interval_has_a_vertex_and_two_rays() {
        // 0 <= i < n over [1 | n | i]
        let rows = [vec![0, 0, 1], vec![-1, 1, -1]];
        let cone = Cone::polyhedron(3, &[], &rows, &Budget::unlimited()).unwrap();
        assert_eq!(sorted(&cone), [vec![0, 1, 0], vec![0, 1, 1], vec![1, 1, 0]]);
    }

    #[test]
    fn an_equality_cuts_and_emptiness_shows() {
        let rows = [vec![0, 1, 0], vec![3, -1, 0], vec![0, 0, 1], vec![3, 0, -1]];
        let mut cone = Cone::polyhedron(3, &[], &rows, &Budget::unlimited()).unwrap();
        cone.add_equality(&[-1, 1, 1], &Budget::unlimited()).unwrap();
        assert_eq!(sorted(&cone), [vec![1, 0, 1], vec![1, 1, 0]]);
        cone.add_equality(&[-5, 1, 1], &Budget::unlimited()).unwrap();
        assert!(cone.is_rationally_empty());
    }
}
