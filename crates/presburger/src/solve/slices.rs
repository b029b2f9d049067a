//! Integer points of a polyhedron by slices along a thin direction.
//!
//! # Method
//! The recession cone `C` of a polyhedron spans a linear space. In the integer directions
//! orthogonal to it (a lattice) the polyhedron is bounded. If there are none, `C` has full
//! dimension, and far enough along it there is a point all of whose roundings are in the polyhedron.
//!
//! Otherwise thin directions are looked for among the normals of the constraints and the axes,
//! where definitions of floors leave many: no integer between the rational minimum and maximum
//! means no point, one means an equality. A fractional bound is cut off, which makes other
//! directions thinner. If none of them is thin enough, the thinnest vector of a reduced basis of
//! the lattice is taken ([`reduced_basis`]). The polyhedron is cut into slices along the chosen
//! direction, each of which has a variable less, so that the search ends.
use crate::core::budget::Budget;
use crate::core::error::Result;
use crate::solve::basis_reduction::reduced_basis;
use crate::solve::simplex::{RationalOptimum, Tableau};
use crate::solve::system::System;
use loopwright_exact::{Int, Matrix, Row};

/// A basis is reduced if no known direction has as few slices as this.
const FEW_SLICES: i64 = 3;

/// How often all known directions are tried while they cut something off.
const ROUNDS: usize = 3;

/// The values of an integer direction on a polyhedron.
#[derive(Clone)]
struct Slices {
    /// Over `[constant | variables]`, constant zero.
    form: Row,
    least: Int,
    greatest: Int,
    /// Whether the tableau was cut at these values.
    is_cut: bool,
}

impl Slices {
    /// The slices of a polyhedron in one direction; none if it is unbounded there.
    fn of(form: &Row, tableau: &mut Tableau, budget: &Budget) -> Result<Option<Slices>> {
        let RationalOptimum::At(greatest) = tableau.maximum(form, budget)? else {
            return Ok(None);
        };
        let RationalOptimum::At(least) = tableau.minimum(form, budget)? else { return Ok(None) };
        let slices = Slices {
            form: form.clone(),
            least: least.ceil(),
            greatest: greatest.floor(),
            is_cut: !least.is_integer() || !greatest.is_integer(),
        };
        if !greatest.is_integer() {
            tableau.add_inequality(&slices.bound(-1, &slices.greatest), budget)?;
        }
        if !least.is_integer() {
            tableau.add_inequality(&slices.bound(1, &slices.least), budget)?;
        }
        Ok(Some(slices))
    }

    /// `sign * (form - value) >= 0`.
    fn bound(&self, sign: i32, value: &Int) -> Row {
        let mut row = self.form.clone();
        row.set(0, -value);
        if sign < 0 {
            row.negate();
        }
        row
    }

    fn len(&self) -> Int {
        &self.greatest - &self.least + Int::ONE
    }
}

impl System {
    /// An integer point of a system of inequalities with rational points, or none.
    pub(crate) fn search_slices(self, budget: &Budget) -> Result<Option<Row>> {
        let directions = self.bounded_directions(budget)?;
        if directions.is_empty() {
            return self.point_far_out(budget);
        }
        let mut tableau = Tableau::new(self.width() - 1);
        for row in self.inequalities() {
            tableau.add_inequality(row, budget)?;
        }
        let mut known = self.thinnest_known(&mut tableau, budget)?;
        if known.as_ref().is_none_or(|slices| (slices.len() - Int::from(FEW_SLICES)).is_positive())
        {
            let mut form = reduced_basis(self.inequalities(), directions, budget)?.swap_remove(0);
            form.insert_zeros(0, 1);
            if let Some(slices) = Slices::of(&form, &mut tableau, budget)?
                && known.as_ref().is_none_or(|known| slices.len() < known.len())
            {
                known = Some(slices);
            }
        }
        match known {
            Some(slices) if !tableau.is_empty() => self.search_each(&slices, budget),
            _ => Ok(None),
        }
    }

    /// A point in one of the slices.
    fn search_each(&self, slices: &Slices, budget: &Budget) -> Result<Option<Row>> {
        let mut value = slices.least.clone();
        while value <= slices.greatest {
            let slice = self.with_equality(slices.bound(1, &value));
            if let Some(point) = slice.find_point(budget)? {
                return Ok(Some(point));
            }
            value += Int::ONE;
        }
        Ok(None)
    }

    /// The fewest slices among the normals of the constraints and the axes; on the way the tableau
    /// is cut where a bound is fractional.
    fn thinnest_known(&self, tableau: &mut Tableau, budget: &Budget) -> Result<Option<Slices>> {
        let forms = self.known_directions();
        let mut thinnest: Option<Slices> = None;
        for _ in 0..ROUNDS {
            let mut is_cut = false;
            for form in &forms {
                if tableau.is_empty() {
                    return Ok(thinnest);
                }
                let Some(slices) = Slices::of(form, tableau, budget)? else { continue };
                is_cut |= slices.is_cut;
                if thinnest.as_ref().is_none_or(|known| slices.len() < known.len()) {
                    thinnest = Some(slices);
                }
                if thinnest.as_ref().is_some_and(|known| known.len() <= Int::ONE) {
                    return Ok(thinnest);
                }
            }
            if !is_cut {
                break;
            }
        }
        Ok(thinnest)
    }

    /// The axes and the normals of the constraints, without repetitions.
    fn known_directions(&self) -> Vec<Row> {
        let mut forms: Vec<Row> = (1..self.width()).map(|i| Row::unit(self.width(), i)).collect();
        for row in self.inequalities() {
            let mut form = row.clone();
            form.set(0, Int::ZERO);
            let mut opposite = form.clone();
            opposite.negate();
            if !forms.contains(&form) && !forms.contains(&opposite) {
                forms.push(form);
            }
        }
        forms
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
