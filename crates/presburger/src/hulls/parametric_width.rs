//! The lattice width of sets with parameters.
//!
//! For each chamber of the parameters the width is the least of those along finitely many directions
//! ([`super::directions`]); each of these is one expression, since the same vertices are extreme in the whole
//! chamber.
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::constraint::Local;
use crate::core::error::{During, Error, Result};
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::functions::aff::Aff;
use crate::functions::piecewise::PwAff;
use crate::hulls::convex_hull::Polyhedron;
use crate::hulls::directions::candidates;
use crate::hulls::vertices::{Chamber, ParametricVertices};
use crate::polynomials::pw_qpolynomial::PwQPolynomial;
use loopwright_exact::{Int, Row};
use std::collections::BTreeSet;

const OPERATION: &str = "lattice_width";

impl Set {
    /// The least width of the set, as a rational polytope, along an integer direction that is not zero, as a
    /// function of the parameters; it is defined where there is a point.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Int, Set, Value};
    /// let budget = Budget::steps(1_000_000);
    /// let strip = Set::parse("[n] -> { [i, j] : 0 <= i <= 90 and 0 <= j - 3i <= n }")?;
    /// let width = strip.parametric_lattice_width(&budget)?;
    /// assert_eq!(width.eval(&[Int::from(5)], &budget)?, Value::from(5));
    /// assert_eq!(width.eval(&[Int::from(200)], &budget)?, Value::from(90));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* That of the vertices, and exponential in the number of dimensions.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the set has no dimensions, is not bounded, or consists of several pieces for the
    /// same parameters; [`Error::Exceeded`].
    pub fn parametric_lattice_width(&self, budget: &Budget) -> Result<PwQPolynomial> {
        let refuse =
            |reason: &str| Err(Error::Invalid { operation: OPERATION, reason: reason.to_owned() });
        if self.n_dims() == 0 {
            return refuse("the set has no dimensions");
        }
        let mut total = PwAff::empty(&self.space().to_params());
        for basic in self.coalesce(budget).during(OPERATION)?.basic_sets() {
            if !basic.0.image_is_bounded(budget).during(OPERATION)? {
                return refuse("the set is not bounded");
            }
            let part = width_of_basic(&basic, budget).during(OPERATION)?;
            let both = part.domain().intersect_within(&total.domain(), budget)?;
            if !both.is_empty(budget).during(OPERATION)? {
                return refuse("the set has parameters and several pieces");
            }
            total = total.union_disjoint(&part)?;
        }
        Ok(PwQPolynomial::from(&total.coalesce(budget).during(OPERATION)?))
    }
}

/// The width of one polytope where it has integer points.
fn width_of_basic(basic: &BasicSet, budget: &Budget) -> Result<PwAff> {
    let (n_params, n_dims) = (basic.n(DimKind::Param), basic.n(DimKind::Out));
    let params = basic.space().to_params();
    let occupied = Set::from(basic.clone()).params();
    let nowhere = PwAff::empty(&params);
    let Some(relaxed) = Polyhedron::from_basic_map(&basic.0).irredundant(budget)? else {
        return Ok(nowhere);
    };
    let polyhedron = relaxed.project(basic.offset(DimKind::Local), budget)?;
    let dims = 1 + n_params..1 + n_params + n_dims;
    let has_dims = |row: &&Row| row.first_nonzero(dims.clone()).is_some();
    if polyhedron.equalities.iter().any(|row| has_dims(&row)) {
        // What an equality says is a direction in which the set is flat.
        return Ok(PwAff::on_domain(occupied, constant_zero(&params)));
    }
    let normals = polyhedron.inequalities.iter().filter(has_dims);
    let normals: Vec<Row> = normals.map(|row| row.slice(dims.clone())).collect();
    let directions = candidates(&normals, n_dims, OPERATION, budget)?;
    let found = basic.vertices(budget)?;
    let mut width = nowhere;
    for chamber in &found.chambers {
        let part = width_in_chamber(&found, chamber, &directions, budget)?;
        let rest = part.subtract_domain(&width.domain(), budget)?;
        width = width.union_disjoint(&rest)?.coalesce(budget)?;
    }
    width.intersect_params(&occupied)?.coalesce(budget)
}

fn constant_zero(params: &Space) -> Aff {
    let row = Row::zeros(1 + params.n(DimKind::Param));
    Aff::from_row(params, Vec::<Local>::new(), row, Int::ONE)
}

/// The least of the widths along some directions, all of which are expressions of their own.
fn width_in_chamber(
    found: &ParametricVertices,
    chamber: &Chamber,
    directions: &BTreeSet<Vec<Int>>,
    budget: &Budget,
) -> Result<PwAff> {
    let domain = Set::from(chamber.domain.clone());
    let mut widths: Vec<Aff> = Vec::new();
    for direction in directions {
        let mut values = Vec::with_capacity(chamber.vertices.len());
        for &vertex in &chamber.vertices {
            let mut value = constant_zero(domain.space());
            for (member, factor) in found.vertices[vertex].expression.members.iter().zip(direction)
            {
                value = value.add(&member.scale(factor))?;
            }
            values.push(value);
        }
        let greatest = greatest_of(&values, &domain, budget)?;
        let opposite: Vec<Aff> = values.iter().map(Aff::neg).collect();
        let width = greatest.add(&greatest_of(&opposite, &domain, budget)?)?;
        insert_least(&mut widths, width, &domain, budget)?;
    }
    let mut least: Option<PwAff> = None;
    for width in widths {
        let width = PwAff::on_domain(domain.clone(), width);
        least = Some(match least {
            Some(least) => least.min(&width, budget)?.coalesce(budget)?,
            None => width,
        });
    }
    Ok(least.unwrap_or_else(|| PwAff::empty(domain.space())))
}

/// The expression that is the greatest on the whole domain, where there is one.
fn greatest_of(values: &[Aff], domain: &Set, budget: &Budget) -> Result<Aff> {
    let mut greatest = values[0].clone();
    for value in &values[1..] {
        if !is_at_least(&greatest, value, domain, budget)? {
            greatest = value.clone();
        }
    }
    Ok(greatest)
}

/// Adds a width unless a known one is nowhere greater, in place of those that are nowhere less.
fn insert_least(known: &mut Vec<Aff>, new: Aff, domain: &Set, budget: &Budget) -> Result<()> {
    let mut kept = Vec::with_capacity(known.len() + 1);
    for old in known.drain(..) {
        if is_at_least(&new, &old, domain, budget)? {
            kept.push((old, true));
        } else {
            let is_needed = !is_at_least(&old, &new, domain, budget)?;
            kept.extend(is_needed.then_some((old, false)));
        }
    }
    let is_beaten = kept.iter().any(|(_, beats)| *beats);
    known.extend(kept.into_iter().map(|(width, _)| width));
    known.extend((!is_beaten).then_some(new));
    Ok(())
}

fn is_at_least(a: &Aff, b: &Aff, domain: &Set, budget: &Budget) -> Result<bool> {
    b.gt_set(a)?.intersect_within(domain, budget)?.is_empty(budget)
}
