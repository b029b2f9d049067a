//! Thin directions of a polyhedron: generalized basis reduction.
//!
//! # Method
//! Cook, Rutherford, Scarf, Shallcross, "An implementation of the generalized basis reduction
//! algorithm for integer programming" (ORSA J. on Computing 5(2), 1993), after Lovász and Scarf.
//! The width of a polyhedron `P` in an integer direction `b` is the maximum of `b (y - z)` over
//! `y, z` in `P`. With `F_i(b)` this maximum under `b_j y = b_j z` for the directions `b_j` before
//! position `i`, a basis is reduced if `F_i(b_(i+1) + m b_i) >= F_i(b_(i+1))` for all integers `m`
//! and `F_i(b_(i+1)) >= 3/4 F_i(b_i)`. If the integer points of `P` were to lie on many hyperplanes
//! in the first direction of a reduced basis, `P` would contain an integer point. So a polyhedron
//! without integer points is thin there, and few slices need to be searched.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::solve::simplex::{RationalOptimum, Tableau};
use loopwright_exact::{Int, Rational, Row};

/// The widths of a polyhedron, with one tableau over pairs of its points per position.
struct Widths {
    /// At position `i`: pairs of points that agree in the first `i` directions.
    pairs: Vec<Tableau>,
}

impl Widths {
    fn new(inequalities: &[Row], budget: &Budget) -> Result<Self> {
        let n = inequalities.first().map_or(0, |row| row.len() - 1);
        let mut pairs = Tableau::new(2 * n);
        for row in inequalities {
            let (mut first, mut second) = (row.clone(), row.clone());
            first.insert_zeros(1 + n, n);
            second.insert_zeros(1, n);
            pairs.add_inequality(&first, budget)?;
            pairs.add_inequality(&second, budget)?;
        }
        Ok(Widths { pairs: vec![pairs] })
    }

    /// `b (y - z)` as a row over `[constant | y | z]`.
    fn difference(direction: &Row) -> Row {
        let negative = direction.iter().map(|c| -c);
        std::iter::once(Int::ZERO).chain(direction.iter()).chain(negative).collect()
    }

    /// The width in a direction among pairs that agree in the first `position` basis vectors.
    fn at(&mut self, position: usize, direction: &Row, budget: &Budget) -> Result<Rational> {
        match self.pairs[position].maximum(&Self::difference(direction), budget)? {
            RationalOptimum::At(value) => Ok(value),
            _ => Ok(Rational::zero()),
        }
    }

    /// Prepares `position + 1`, where pairs also agree in `direction`.
    fn fix(&mut self, position: usize, direction: &Row, budget: &Budget) -> Result<()> {
        self.pairs.truncate(position + 1);
        let mut next = self.pairs[position].clone();
        next.add_equality(&Self::difference(direction), budget)?;
        self.pairs.push(next);
        Ok(())
    }
}

/// `vector + multiple * other`, with the integer multiple that makes it thinnest.
///
/// The width is convex in the multiple, so that steps of growing length in the direction of
/// descent find the minimum.
fn thinnest_sum(
    widths: &mut Widths,
    position: usize,
    vector: &Row,
    other: &Row,
    budget: &Budget,
) -> Result<(Row, Rational)> {
    let mut best = vector.clone();
    let mut width = widths.at(position, vector, budget)?;
    for sign in [Int::ONE, Int::MINUS_ONE] {
        let mut step = sign.clone();
        let mut moved = false;
        loop {
            let mut next = best.clone();
            next.add_scaled(&step, other);
            let other_width = widths.at(position, &next, budget)?;
            if other_width < width {
                (best, width, moved) = (next, other_width, true);
                step = &step + &step;
            } else if step == sign {
                break;
            } else {
                step = sign.clone();
            }
        }
        if moved {
            break;
        }
    }
    Ok((best, width))
}

/// A reduced basis of the lattice spanned by `basis` (directions in which the polyhedron is
/// bounded); the first vector is the thinnest.
///
/// The polyhedron is given by inequalities over `[constant | variables]` and must not be empty.
///
/// # Errors
/// The budget is exceeded. The cost grows fast with the number of variables: several dozen linear
/// programs over twice as many.
pub(crate) fn reduced_basis(
    inequalities: &[Row],
    mut basis: Vec<Row>,
    budget: &Budget,
) -> Result<Vec<Row>> {
    let mut widths = Widths::new(inequalities, budget)?;
    let mut position = 0;
    while position + 1 < basis.len() {
        let own = widths.at(position, &basis[position], budget)?;
        if position == 0 && own < Rational::one() {
            break;
        }
        let (next, width) =
            thinnest_sum(&mut widths, position, &basis[position + 1], &basis[position], budget)?;
        basis[position + 1] = next;
        if &Rational::from(4) * &width < &Rational::from(3) * &own {
            basis.swap(position, position + 1);
            position = position.saturating_sub(1);
        } else {
            widths.fix(position, &basis[position], budget)?;
            position += 1;
        }
    }
    Ok(basis)
}
