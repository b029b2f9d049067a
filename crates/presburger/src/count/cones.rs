//! Cones as signed sums of unimodular cones (Barvinok).
//!
//! # Duality
//! A cone `{ x : N x >= 0 }` is given by the rows of `N`, its inner normals, which span the dual cone. A sum
//! of cones with lines counts for nothing here: the generating function of such a cone is zero. Duals of such
//! cones are those of lower dimension. So an identity between dual cones up to cones of lower dimension is
//! one between the generating functions of the closed cones, and no face has to be looked at (Barvinok and
//! Pommersheim, "An algorithmic theory of lattice points in polyhedra", 1999).
use crate::core::budget::Budget;
use crate::core::error::{Error, Result};
use loopwright_exact::{Int, Matrix, Row};

const OPERATION: &str = "the decomposition of a cone";

/// A cone with as many facets as dimensions and as many edges, both of them bases of the integers, with a
/// sign.
#[derive(Clone, Debug)]
pub(super) struct UnimodularCone {
    /// The inner normals.
    pub(super) normals: Matrix,
    /// The edges, as columns: the inverse of the normals.
    pub(super) edges: Matrix,
    pub(super) is_negative: bool,
}

/// The cone `{ x : rows x >= 0 }` as a sum of unimodular cones, up to cones with lines. The rows span the
/// space.
///
/// # Errors
/// The budget is exceeded.
pub(super) fn unimodular_cones(normals: &[Row], budget: &Budget) -> Result<Vec<UnimodularCone>> {
    let mut cones = Vec::new();
    for simplex in triangulated(normals, budget)? {
        decompose(simplex, budget, &mut cones)?;
    }
    Ok(cones)
}

/// Signed decomposition: a short vector takes the place of each of the normals (Barvinok, "A polynomial time
/// algorithm for counting integral points in polyhedra when the dimension is fixed", 1994). The index of a
/// cone falls to at most its `(d - 1)/d`-th power, where the vector is the shortest one.
fn decompose(normals: Matrix, budget: &Budget, done: &mut Vec<UnimodularCone>) -> Result<()> {
    let d = normals.n_rows();
    let mut pending = vec![(normals, false)];
    while let Some((normals, is_negative)) = pending.pop() {
        budget.spend((1 + d * d * (d + 2) / 8) as u64, OPERATION)?;
        budget.keep((pending.len() + done.len()) * (2 * d * d + 8), OPERATION)?;
        let Some((adjugate, determinant)) = normals.adjugate() else {
            return Err(Error::too_large(OPERATION));
        };
        if determinant.abs().is_one() {
            let mut edges = adjugate;
            if determinant.is_negative() {
                edges = Matrix::new(edges.rows().iter().map(negated).collect(), d);
            }
            done.push(UnimodularCone { normals, edges, is_negative });
            continue;
        }
        let factors = short_factors(&adjugate, &determinant);
        let mut vector = normals.left_mul(&factors);
        vector.div_exact(&determinant);
        for k in (0..d).filter(|&k| !factors.is_zero_at(k)) {
            let mut child = normals.clone();
            *child.row_mut(k) = vector.clone();
            let is_opposite = factors.get(k).is_negative() != determinant.is_negative();
            pending.push((child, is_negative != is_opposite));
        }
    }
    Ok(())
}

fn negated(row: &Row) -> Row {
    let mut row = row.clone();
    row.negate();
    row
}

/// The determinant times the coefficients, all smaller than one, of an integer vector in terms of the
/// normals; not all of them are negative.
///
/// The integer multiples of the rows of the inverse are the coefficients of all integer vectors. Those of a
/// reduced basis are short. If none is short enough, the remainders of a row of the inverse are at most one
/// half.
fn short_factors(adjugate: &Matrix, determinant: &Int) -> Row {
    let index = determinant.abs();
    let reduced = adjugate.lattice_reduced();
    let basis = reduced.iter().flat_map(|basis| basis.rows().iter().cloned());
    let rests = adjugate.rows().iter().map(|row| centred(row, &index));
    let length = |row: &Row| row.iter().map(|value| value.abs()).max().unwrap_or_default();
    let n_terms = |row: &Row| row.iter().filter(|value| !value.is_zero()).count();
    let candidates = basis.chain(rests).filter(|row| !row.is_zero());
    let mut best =
        candidates.min_by_key(|row| (length(row), n_terms(row))).unwrap_or_else(|| Row::zeros(0));
    let sign = determinant.signum();
    if best.iter().all(|value| value.signum() * sign <= 0) {
        best.negate();
    }
    best
}

/// The entries modulo a number, from minus to plus one half of it.
fn centred(row: &Row, modulus: &Int) -> Row {
    let two = Int::from(2);
    let rest = |value: Int| {
        let rest = value.mod_floor(modulus);
        if &two * &rest > *modulus { rest - modulus.clone() } else { rest }
    };
    row.iter().map(rest).collect()
}

/// A facet of the cones so far that no second cone has: its rays, and the inner normal.
struct Facet {
    rays: Vec<usize>,
    normal: Row,
}

/// A cone of full dimension that some rays span as cones of independent rays, which meet in faces.
///
/// *Method.* Rays are placed one after the other: a new one makes a cone with each facet that it sees from
/// outside (De Loera, Rambau and Santos, "Triangulations", 2010, section 4.3.1).
fn triangulated(rays: &[Row], budget: &Budget) -> Result<Vec<Matrix>> {
    let d = rays.first().map_or(0, Row::len);
    let first = independent(rays, d);
    let mut simplices = vec![first.clone()];
    if rays.len() > d {
        let mut border = Vec::new();
        add_simplex(&first, rays, &mut border)?;
        for new in (0..rays.len()).filter(|at| !first.contains(at)) {
            budget.spend((border.len() * d) as u64, OPERATION)?;
            budget.keep(border.len() * (2 * d + 8), OPERATION)?;
            let sees = |facet: &Facet| facet.normal.dot(&rays[new]).is_negative();
            let seen: Vec<Vec<usize>> =
                border.iter().filter(|facet| sees(facet)).map(|facet| facet.rays.clone()).collect();
            for facet in seen {
                budget.spend((d * d * d) as u64, OPERATION)?;
                let mut simplex = facet;
                simplex.push(new);
                simplex.sort_unstable();
                add_simplex(&simplex, rays, &mut border)?;
                simplices.push(simplex);
            }
        }
    }
    let matrix = |simplex: Vec<usize>| {
        Matrix::new(simplex.into_iter().map(|at| rays[at].clone()).collect(), d)
    };
    Ok(simplices.into_iter().map(matrix).collect())
}

/// Adds the facets of a simplex to those that one simplex has, and removes those that two have.
fn add_simplex(simplex: &[usize], rays: &[Row], border: &mut Vec<Facet>) -> Result<()> {
    let matrix = Matrix::new(simplex.iter().map(|&at| rays[at].clone()).collect(), simplex.len());
    let Some((adjugate, determinant)) = matrix.adjugate() else {
        return Err(Error::too_large(OPERATION));
    };
    for k in 0..simplex.len() {
        let facet: Vec<usize> = simplex.iter().copied().filter(|&at| at != simplex[k]).collect();
        match border.iter().position(|known| known.rays == facet) {
            Some(at) => drop(border.swap_remove(at)),
            None => {
                let mut normal = adjugate.column(k);
                if determinant.is_negative() {
                    normal.negate();
                }
                border.push(Facet { rays: facet, normal });
            }
        }
    }
    Ok(())
}

/// The positions of the first independent rows, at most `rank` of them.
pub(super) fn independent(rows: &[Row], rank: usize) -> Vec<usize> {
    let mut echelon: Vec<(usize, Row)> = Vec::with_capacity(rank);
    let mut chosen = Vec::with_capacity(rank);
    for (at, row) in rows.iter().enumerate() {
        if chosen.len() == rank {
            break;
        }
        let mut rest = row.clone();
        for (column, known) in &echelon {
            rest.eliminate(*column, known);
        }
        if let Some(column) = rest.first_nonzero(0..rest.len()) {
            echelon.push((column, rest));
            chosen.push(at);
        }
    }
    chosen
}
