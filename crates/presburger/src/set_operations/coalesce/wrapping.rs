//! A piece that sticks out of another one by one.
//!
//! # Method
//! Let `A` and `B` be pieces such that `t_i >= -1` holds on `B` for each side `t_i >= 0` of `A`
//! that `B` violates, and let `s_j >= 0` be the sides of `B` that `A` violates. The result consists
//! of what both have in common, of `t_i >= -1`, and of
//!
//! ```text
//! s_j + f_ij (t_i + 1) >= 0   with the least f_ij >= 0 such that this holds on A,
//! ```
//!
//! which is `s_j` turned around the ridge `s_j = 0, t_i = -1` until it contains `A`. It holds on `B`
//! because both terms do. Conversely, a point of the result with all `t_i >= 0` is in `A`. At
//! any other one, some `t_i` is -1; then all `s_j >= 0` there, and it is in `B`.
//!
//! A turned constraint with larger coefficients than the sum of two constraints, one of each piece, would
//! write a lexicographic order over a box as one inequality with the extents of the box in it: few
//! constraints, but of no use to anyone who looks for slopes. Such pieces stay apart.
//!
//! The factor is `max -s_j / (t_i + 1)` on `A`, a linear-fractional program. It becomes a linear
//! one over the cone of the `(x z, z)` with `z (t_i + 1) = 1`: Charnes and Cooper, "Programming with
//! linear fractional functionals" (Naval Research Logistics Quarterly 9, 1962).
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::set_operations::coalesce::pair::{Split, common_constraints};
use crate::set_operations::coalesce::piece::{Piece, Side};
use crate::solve::simplex::{RationalOptimum, Tableau};
use loopwright_exact::{Int, Rational, Row};

/// Turned constraints that are computed before a merge is given up.
const MAX_TURNED: usize = 40;

/// One basic relation with the points of both pieces if one sticks out of the other by one.
pub(super) fn merged(
    a: &mut Piece,
    of_a: &Split,
    b: &mut Piece,
    of_b: &Split,
    budget: &Budget,
) -> Result<Option<BasicMap>> {
    if of_a.violated(a).count() * of_b.violated(b).count() > MAX_TURNED {
        return Ok(None);
    }
    let mut rows = None;
    if sticks_out_by_one(b, of_a.violated(a), budget)? {
        rows = relaxed(a, of_a, b, of_b, budget)?;
    }
    if rows.is_none() && sticks_out_by_one(a, of_b.violated(b), budget)? {
        rows = relaxed(b, of_b, a, of_a, budget)?;
    }
    let Some(rows) = rows else { return Ok(None) };
    let mut common = common_constraints(a, of_a, b, of_b);
    common.inequalities.extend(rows);
    BasicMap::from_data(common).remove_redundancies(budget).map(Some)
}

/// Whether a piece violates sides of another one by at most one.
fn sticks_out_by_one<'a>(
    piece: &mut Piece,
    sides: impl Iterator<Item = &'a Side>,
    budget: &Budget,
) -> Result<bool> {
    let relaxed = |side: &Side| {
        let mut row = side.row.clone();
        row.add_at(0, &Int::ONE);
        Side::new(row)
    };
    let relaxed: Vec<Side> = sides.map(relaxed).collect();
    let is_seen = |side: &Side| {
        let mut points = piece.points().iter();
        points.any(|point| side.row.dot(point).is_negative())
    };
    if relaxed.iter().any(is_seen) {
        return Ok(false);
    }
    for side in &relaxed {
        if piece.violates(side, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The relaxed sides of the first piece and the turned ones of the second; none if some side cannot
/// be turned.
fn relaxed(
    inner: &Piece,
    of_inner: &Split,
    outer: &Piece,
    of_outer: &Split,
    budget: &Budget,
) -> Result<Option<Vec<Row>>> {
    let largest = largest_coefficient(inner) + largest_coefficient(outer);
    let mut rows = Vec::new();
    let whole = cone_over(inner, budget)?;
    for ridge in of_inner.violated(inner) {
        let mut ridge = ridge.row.clone();
        ridge.add_at(0, &Int::ONE);
        let mut cone = whole.clone();
        let mut is_one = homogeneous(&ridge);
        is_one.set(0, Int::MINUS_ONE);
        cone.add_equality(&is_one, budget)?;
        for side in of_outer.violated(outer) {
            let RationalOptimum::At(least) = cone.minimum(&homogeneous(&side.row), budget)? else {
                return Ok(None);
            };
            let row = turned(&side.row, &ridge, &least);
            if Side::new(row.clone()).stride > &largest * row.gcd(1..row.len()) {
                return Ok(None);
            }
            rows.push(row);
        }
        rows.push(ridge);
    }
    Ok(Some(rows))
}

/// The largest coefficient of a piece's sides.
fn largest_coefficient(piece: &Piece) -> Int {
    piece.sides.iter().map(|side| &side.stride).max().cloned().unwrap_or(Int::ZERO)
}

/// The cone over a piece. Its rows hold at the origin, so that no pivots are needed for inequalities.
fn cone_over(piece: &Piece, budget: &Budget) -> Result<Tableau> {
    let system = piece.search().system();
    let mut tableau = Tableau::new(system.width());
    for row in &system.equalities {
        tableau.add_equality(&homogeneous(row), budget)?;
    }
    let mut height = Row::zeros(system.width() + 1);
    height.set(1, Int::ONE);
    tableau.add_inequality(&height, budget)?;
    for row in system.inequalities() {
        tableau.add_inequality(&homogeneous(row), budget)?;
    }
    Ok(tableau)
}

/// The row over the columns `[0 | height | variables]`.
fn homogeneous(row: &Row) -> Row {
    let mut row = row.clone();
    row.insert_zeros(0, 1);
    row
}

/// `side - least * ridge` with integer coefficients.
fn turned(side: &Row, ridge: &Row, least: &Rational) -> Row {
    let mut row = side.clone();
    if least.signum() < 0 {
        row.combine(&least.denominator, &-&least.numerator, ridge);
    }
    row
}
