//! The statements to be scheduled, and their coordinates.
use crate::double_description::{Cone, Vector, dot};
use crate::farkas::Generators;
use crate::linear::Echelon;
use crate::rows::system;
use loopwright_presburger::{BasicMap, Budget, DimKind, Local, Result, Row, Set, Space};

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
        let hull = set.affine_hull(budget)?;
        let hull = hull.as_basic_map();
        let determined = determined_dims(hull, n_params, n_dims)?;
        let coordinates: Vec<usize> = (0..n_dims).filter(|d| !determined.contains(d)).collect();
        let has_local = |row: &Row| row.first_nonzero(head + n_dims..row.len()).is_some();
        let rows = hull.equalities().iter().filter(|row| !has_local(row));
        let mut equalities = Vec::new();
        for row in rows {
            equalities.push(crate::rows::narrow(row)?[..head + n_dims].to_vec());
        }
        let mut domain = Generators::default();
        for piece in set.basic_sets() {
            let (equal, positive) = system(piece.as_basic_map())?;
            let width = piece.as_basic_map().n_columns();
            let cone = Cone::polyhedron(width, &equal, &positive, budget)?;
            let columns: Vec<usize> =
                (0..head).chain(coordinates.iter().map(|&d| head + d)).collect();
            let project = |g: &[i64]| columns.iter().map(|&c| i128::from(g[c])).collect();
            if !cone.is_rationally_empty() {
                domain.unite(&Generators::of_cone(&cone, project)?);
            }
        }
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

    /// The coordinate as a function over `[1 | params | coordinates]`.
    pub(crate) fn unit(&self, coordinate: usize) -> Vector {
        let mut row = vec![0; 1 + self.n_params + self.dim()];
        row[1 + self.n_params + coordinate] = 1;
        row
    }
}

/// The dimensions to leave out: as many as the equalities determine, inner ones first.
fn determined_dims(hull: &BasicMap, n_params: usize, n_dims: usize) -> Result<Vec<usize>> {
    let head = 1 + n_params;
    let dims = head..head + n_dims;
    // A local is as good as a parameter if its value only depends on parameters.
    let mut constant_locals: Vec<bool> = Vec::new();
    for local in hull.locals() {
        let constant = match local {
            Local::Unknown => false,
            Local::Floor { numerator, .. } => {
                numerator.first_nonzero(dims.clone()).is_none()
                    && constant_locals
                        .iter()
                        .enumerate()
                        .all(|(i, &c)| c || numerator.is_zero_at(dims.end + i))
            }
        };
        constant_locals.push(constant);
    }
    let mut echelon = Echelon::default();
    let mut determined = Vec::new();
    for row in hull.equalities() {
        let mut columns = constant_locals.iter().enumerate();
        if columns.any(|(i, &constant)| !constant && !row.is_zero_at(dims.end + i)) {
            continue;
        }
        let reversed: Vector =
            crate::rows::narrow(row)?[dims.clone()].iter().rev().copied().collect();
        echelon.insert(&reversed)?;
    }
    for row in echelon.rows() {
        let pivot = row.iter().position(|&entry| entry != 0);
        determined.extend(pivot.map(|p| n_dims - 1 - p));
    }
    Ok(determined)
}
