//! Integer points of a polyhedron by slices along a thin direction.
//!
//! # Method
//! The recession cone `C` of a polyhedron spans a linear space. In the integer directions
//! orthogonal to it (a lattice) the polyhedron is bounded. If there are none, `C` has full
//! dimension, and far enough along it there is a point all of whose roundings are in the polyhedron.
//! Otherwise the polyhedron is cut into slices along the thinnest of these directions
//! ([`reduced_basis`]), each of which has a variable less, so that the search ends.
use crate::basis_reduction::reduced_basis;
use crate::sample::System;
use crate::{Budget, Int, Matrix, RationalOptimum, Result, Row, Tableau};

impl System {
    /// An integer point of a system of inequalities with rational points, or none.
    pub(crate) fn search_slices(self, budget: &Budget) -> Result<Option<Row>> {
        let directions = self.bounded_directions(budget)?;
        if directions.is_empty() {
            return self.point_far_out(budget);
        }
        let basis = reduced_basis(self.inequalities(), directions, budget)?;
        let mut form = basis[0].clone();
        form.insert_zeros(0, 1);
        let mut tableau = Tableau::new(self.width() - 1);
        for row in self.inequalities() {
            tableau.add_inequality(row, budget)?;
        }
        let (RationalOptimum::At(least), RationalOptimum::At(greatest)) =
            (tableau.minimum(&form, budget)?, tableau.maximum(&form, budget)?)
        else {
            return Ok(None);
        };
        let (mut value, last) = (least.ceil(), greatest.floor());
        while value <= last {
            let mut slice = form.clone();
            slice.set(0, -&value);
            if let Some(point) = self.with_equality(slice).find_point(budget)? {
                return Ok(Some(point));
            }
            value += Int::ONE;
        }
        Ok(None)
    }

    /// A basis of the lattice of directions in which the polyhedron is bounded.
    fn bounded_directions(&self, budget: &Budget) -> Result<Vec<Row>> {
        let n = self.width() - 1;
        let mut cone = Tableau::new(n);
        let mut constraints = Vec::new();
        for row in self.inequalities() {
            let mut homogeneous = row.clone();
            homogeneous.set(0, Int::ZERO);
            constraints.push(cone.add_inequality(&homogeneous, budget)?);
        }
        let mut orthogonal = Vec::new();
        for (constraint, row) in constraints.into_iter().zip(self.inequalities()) {
            if cone.fix_if_always_zero(constraint, budget)? || cone.is_fixed(constraint) {
                orthogonal.push(row.slice(1..n + 1));
            }
        }
        if orthogonal.is_empty() {
            return Ok(Vec::new());
        }
        let span = Matrix::new(orthogonal, n).nullspace();
        let lattice = if span.n_rows() == 0 { Matrix::identity(n) } else { span.nullspace() };
        Ok(lattice.into_rows())
    }

    /// A point of a polyhedron whose recession cone has full dimension: a rational point where
    /// every constraint holds with enough slack for rounding down.
    fn point_far_out(&self, budget: &Budget) -> Result<Option<Row>> {
        let mut tableau = Tableau::new(self.width() - 1);
        for row in self.inequalities() {
            let mut inner = row.clone();
            let slack = (1..row.len()).map(|i| row.get(i)).filter(Int::is_positive);
            let slack = slack.fold(Int::ZERO, |sum, coefficient| sum + coefficient);
            inner.add_at(0, &-slack);
            tableau.add_inequality(&inner, budget)?;
        }
        let point = tableau.sample().map(|values| {
            std::iter::once(Int::ONE).chain(values.iter().map(|value| value.floor())).collect()
        });
        Ok(point)
    }
}
