//! The statements to be scheduled, and their coordinates.
use crate::algebra::echelon::Echelon;
use crate::algebra::farkas::Generators;
use crate::algebra::rows::{narrow, system};
use crate::algebra::vectors::{Vector, dot, gcd, to_rows};
use loopwright_presburger::{BasicMap, Budget, Cone, DimKind, Local, Result, Row, Set, Space};

/// A statement.
///
/// Dimensions that the equalities of the domain determine (from parameters and other dimensions)
/// are not scheduled: the coordinates are the remaining dimensions ("domain compression",
/// "Scheduling for PPCG", section 7.3; instead of a general unimodular change of basis, enough
/// dimensions are left out, preferring to leave out inner ones). Without this, fixed dimensions
/// would count as members without any dependence.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// The space of the instances.
    pub(crate) space: Space,
    /// The dimensions that serve as coordinates.
    pub(crate) coordinates: Vec<usize>,
    /// The equalities between parameters and dimensions, over `[1 | params | dims]`.
    pub(crate) equalities: Vec<Vector>,
    /// The generators of the convex hull of the domain, over `[1 | params | coordinates]`.
    pub(crate) domain: Generators,
    n_params: usize,
}

impl Statement {
    /// The statement of the instances `set`, whose parameters are those of the whole problem.
    pub(crate) fn new(set: &Set, n_params: usize, budget: &Budget) -> Result<Self> {
        let n_dims = set.space().n(DimKind::Out);
        let head = 1 + n_params;
        let pieces = set.basic_sets();
        let mut hull = Generators::default();
        for piece in &pieces {
            let (equal, positive) = system(piece.as_basic_map())?;
            let width = piece.as_basic_map().n_columns();
            let cone = Cone::polyhedron(width, &to_rows(&equal), &to_rows(&positive), budget)?;
            let project = |g: &[i64]| g[..head + n_dims].iter().map(|&e| i128::from(e)).collect();
            if !cone.is_rationally_empty() {
                hull.unite(&Generators::of_cone(&cone, project)?);
            }
        }
        let equalities = Echelon::of(&hull.linear_hull()?)?.null_space(head + n_dims)?;
        let mut relations: Vec<Vector> =
            equalities.iter().map(|row| row[head..].to_vec()).collect();
        if let [piece] = pieces.as_slice() {
            relations.extend(fixed_combinations(piece.as_basic_map(), head..head + n_dims)?);
        }
        let determined = determined_dims(&relations, n_dims)?;
        let coordinates: Vec<usize> = (0..n_dims).filter(|d| !determined.contains(d)).collect();
        let columns: Vec<usize> = (0..head).chain(coordinates.iter().map(|&d| head + d)).collect();
        let domain = hull.map(|g| columns.iter().map(|&c| i128::from(g[c])).collect())?;
        Ok(Statement { space: set.space().clone(), coordinates, equalities, domain, n_params })
    }

    /// The number of coordinates.
    pub(crate) fn dim(&self) -> usize {
        self.coordinates.len()
    }

    /// The difference between the largest and the smallest value of an affine function over
    /// `[1 | params | coordinates]` on the domain, rounded up, if it is bounded independently of
    /// the parameters.
    pub(crate) fn extent(&self, function: &[i64]) -> Option<i64> {
        let mut bounds: Option<(i128, i128)> = None;
        if self.domain.lines.iter().any(|line| dot(function, line) != 0) {
            return None;
        }
        for ray in &self.domain.rays {
            let value = dot(function, ray);
            let scale = i128::from(ray[0]);
            if scale == 0 {
                if value != 0 {
                    return None;
                }
                continue;
            }
            let (low, high) = (value.div_euclid(scale), -(-value).div_euclid(scale));
            bounds = Some(bounds.map_or((low, high), |(l, h)| (l.min(low), h.max(high))));
        }
        bounds.and_then(|(low, high)| i64::try_from(high - low).ok())
    }

    /// A dimension of the instances as a function over `[1 | params | coordinates]`; zero where it
    /// is none of them, or has no integer coefficients.
    pub(crate) fn dimension(&self, dim: usize) -> Result<Vector> {
        let head = 1 + self.n_params;
        if let Some(coordinate) = self.coordinates.iter().position(|&c| c == dim) {
            return Ok(self.unit(coordinate));
        }
        let mut function = vec![0; head + self.dim()];
        // The dimensions that are no coordinates come first, so that they are solved for.
        let n_dims = self.equalities.first().map_or(0, |row| row.len() - head);
        let others = (0..n_dims).filter(|d| !self.coordinates.contains(d));
        let order: Vec<usize> = others
            .map(|d| head + d)
            .chain(0..head)
            .chain(self.coordinates.iter().map(|&d| head + d))
            .collect();
        let n_others = order.len() - function.len().min(order.len());
        let Some(pivot) = order[..n_others].iter().position(|&c| c == head + dim) else {
            return Ok(function);
        };
        let rows: Vec<Vector> = self
            .equalities
            .iter()
            .map(|row| order.iter().map(|&column| row[column]).collect())
            .collect();
        let solved = Echelon::of(&rows)?;
        let is_of_dim = |row: &&Vector| row.iter().position(|&entry| entry != 0) == Some(pivot);
        let Some(row) = solved.rows().find(is_of_dim) else { return Ok(function) };
        let is_alone = row[pivot + 1..n_others].iter().all(|&entry| entry == 0);
        if is_alone && row[pivot].abs() == 1 {
            for (entry, &value) in function.iter_mut().zip(&row[n_others..]) {
                *entry = -row[pivot] * value;
            }
        }
        Ok(function)
    }

    /// The coordinate as a function over `[1 | params | coordinates]`.
    pub(crate) fn unit(&self, coordinate: usize) -> Vector {
        let mut row = vec![0; 1 + self.n_params + self.dim()];
        row[1 + self.n_params + coordinate] = 1;
        row
    }
}

/// The dimensions to leave out, given combinations of them that only depend on parameters: as many
/// as those determine, inner ones first.
fn determined_dims(combinations: &[Vector], n_dims: usize) -> Result<Vec<usize>> {
    let mut echelon = Echelon::default();
    for row in combinations {
        let reversed: Vector = row.iter().rev().copied().collect();
        echelon.insert(&reversed)?;
    }
    let pivot = |row: &Vector| row.iter().position(|&entry| entry != 0);
    Ok(echelon.rows().filter_map(|row| pivot(row).map(|p| n_dims - 1 - p)).collect())
}

/// Combinations of dimensions with only one integer value per value of the parameters: in
/// equalities with floors of parameters only, and between two parallel constraints whose distance
/// is smaller than the greatest common divisor of the coefficients.
fn fixed_combinations(set: &BasicMap, dims: std::ops::Range<usize>) -> Result<Vec<Vector>> {
    let varying = varying_locals(set, dims.clone());
    let is_fixed =
        |row: &Row| (dims.end..row.len()).all(|c| row.is_zero_at(c) || !varying[c - dims.end]);
    let mut combinations = Vec::new();
    for row in set.equalities().iter().filter(|row| is_fixed(row)) {
        combinations.push(narrow(row)?[dims.clone()].to_vec());
    }
    let rows: Result<Vec<Vector>> =
        set.inequalities().iter().filter(|row| is_fixed(row)).map(narrow).collect();
    let rows = rows?;
    for (index, lower) in rows.iter().enumerate() {
        let divisor = lower[dims.clone()].iter().fold(0, |g, &entry| gcd(g, i128::from(entry)));
        let is_near = |upper: &&Vector| {
            lower[1..].iter().zip(&upper[1..]).all(|(a, b)| a + b == 0)
                && i128::from(lower[0] + upper[0]) < divisor
        };
        if rows[index + 1..].iter().any(|upper| is_near(&upper)) {
            combinations.push(lower[dims.clone()].to_vec());
        }
    }
    Ok(combinations)
}

/// For each local whether it may take several values for one value of the parameters.
fn varying_locals(set: &BasicMap, dims: std::ops::Range<usize>) -> Vec<bool> {
    let mut varying: Vec<bool> = Vec::new();
    for local in set.locals() {
        let varies = match local {
            Local::Unknown => true,
            Local::Floor { numerator, .. } => {
                numerator.first_nonzero(dims.clone()).is_some()
                    || varying
                        .iter()
                        .enumerate()
                        .any(|(i, &v)| v && !numerator.is_zero_at(dims.end + i))
            }
        };
        varying.push(varies);
    }
    varying
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(text: &str, n_params: usize) -> Statement {
        let set = Set::parse(text).unwrap();
        Statement::new(&set, n_params, &Budget::unlimited()).unwrap()
    }

    /// "Scheduling for PPCG", section 7.6.1 (T-22), where the two sizes are printed in the wrong order:
    /// here the extents of both coordinates over the whole domain, from which they are bounded.
    #[test]
    fn extents_do_not_depend_on_parameters() {
        let triangle = statement("{ S[x, y] : x >= 0 and x <= y and x + y <= 100 }", 0);
        let extents = [0, 1].map(|c| triangle.extent(&triangle.unit(c)));
        assert_eq!(extents, [Some(50), Some(100)]);
        let symbolic = statement("[n] -> { S[x, y] : 0 <= x < n and x <= y <= x + 3 }", 1);
        assert_eq!(symbolic.extent(&symbolic.unit(0)), None);
    }

    #[test]
    fn dimensions_are_functions_of_coordinates() {
        let wall = statement("[n] -> { S[x, y, z] : y = n - 1 and z = x + 2 and 0 <= x < n }", 1);
        assert_eq!(wall.coordinates, [0]);
        let functions = [0, 1, 2, 3].map(|dim| wall.dimension(dim).unwrap());
        assert_eq!(functions, [vec![0, 0, 1], vec![-1, 1, 0], vec![2, 0, 1], vec![0, 0, 0]]);
    }
}
