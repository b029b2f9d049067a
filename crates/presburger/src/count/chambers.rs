//! The chambers of a parametric polytope: parts of the parameter space over which it has the same vertices.
//!
//! # Method
//! At a generic point of the parameter space the vertices are those of a polytope of numbers, which double
//! description finds. Each is the solution of the rows that are tight there, a function of the parameters; it
//! exists where it satisfies all other rows. The part of the parameter space in which all of them exist is
//! the chamber around the point (Clauss and Loechner, "Parametric analysis of polyhedral iteration spaces",
//! 1998). Behind each of its walls there is another chamber, or no polytope: so all of them are found by
//! walking through walls.
//!
//! A point on a wall belongs to both sides, and the polynomials of both are right there. It is given to the
//! side of the first generic point (Köppe and Verdoolaege, "Computing parametric rational generating
//! functions with a primal Barvinok algorithm", 2008).
//!
//! # Columns
//! Rows are `[constant | parameters | variables]`; points of the parameter space are homogeneous:
//! `[unit | parameters]`.
use crate::core::budget::Budget;
use crate::core::error::{Error, Result};
use crate::count::cones::independent;
use crate::solve::double_description::Cone;
use crate::solve::simplex::{RationalOptimum, Tableau};
use loopwright_exact::{Int, Matrix, Rational, Row};
use rustc_hash::FxHashMap;

const OPERATION: &str = "the chambers of a polytope";

/// So many points are tried where one must be generic.
const N_TRIES: i64 = 24;

/// `{ x : rows >= 0 }` as a function of parameters that satisfy `fixed >= 0`.
pub(super) struct ParametricPolytope {
    pub(super) n_parameters: usize,
    pub(super) n_variables: usize,
    pub(super) rows: Vec<Row>,
    /// Rows without variables.
    pub(super) fixed: Vec<Row>,
}

/// A vertex: `coordinates / denominator`, where the denominator is positive.
#[derive(Clone, Debug)]
pub(super) struct ChamberVertex {
    /// The positions of the rows that are tight.
    pub(super) tight: Vec<usize>,
    pub(super) coordinates: Vec<Row>,
    pub(super) denominator: Int,
}

/// A part of the parameter space; no integer point is in two of them.
#[derive(Clone, Debug)]
pub(super) struct Chamber {
    /// Inequalities over `[constant | parameters]`.
    pub(super) rows: Vec<Row>,
    /// The positions of its vertices.
    pub(super) vertices: Vec<usize>,
}

/// All chambers, and the vertices that they have.
#[derive(Default)]
pub(super) struct Chambers {
    pub(super) vertices: Vec<ChamberVertex>,
    pub(super) chambers: Vec<Chamber>,
}

/// What there is around a point.
enum Found {
    /// No polytope.
    Nothing,
    /// The point is on a wall.
    Wall,
    /// The walls and the vertices.
    Cell(Vec<Row>, Vec<ChamberVertex>),
}

/// What is known of the rows together.
pub(super) enum Interior {
    /// A point of the parameter space over which all inequalities can be strict, those without variables
    /// included or not.
    At {
        point: Row,
        satisfies_fixed: bool,
    },
    /// These rows are zero at all points.
    Equalities(Vec<usize>),
    Empty,
}

/// A chamber whose neighbours are asked for.
struct Visited {
    walls: Vec<Row>,
    cone: Cone,
    inside: Row,
    vertices: Vec<usize>,
}

impl ParametricPolytope {
    /// A point of the parameter space over which the polytope has full dimension, or why there is none.
    ///
    /// # Errors
    /// The budget is exceeded.
    pub(super) fn interior(&self, budget: &Budget) -> Result<Interior> {
        if let Some(point) = self.strict_point(&self.fixed, budget)? {
            return Ok(Interior::At { point, satisfies_fixed: true });
        }
        if let Some(point) = self.strict_point(&[], budget)? {
            return Ok(Interior::At { point, satisfies_fixed: false });
        }
        let mut tableau = Tableau::new(self.n_parameters + self.n_variables);
        let mut ids = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            ids.push(tableau.add_inequality(row, budget)?);
        }
        if tableau.is_empty() {
            return Ok(Interior::Empty);
        }
        let mut equalities = Vec::new();
        for (position, &id) in ids.iter().enumerate() {
            if tableau.fix_if_always_zero(id, budget)? {
                equalities.push(position);
            }
        }
        Ok(Interior::Equalities(equalities))
    }

    /// A point over which all rows can be positive.
    fn strict_point(&self, fixed: &[Row], budget: &Budget) -> Result<Option<Row>> {
        let n = self.n_parameters + self.n_variables;
        let slack = n + 1;
        let mut tableau = Tableau::new(slack);
        for row in self.rows.iter().chain(fixed) {
            let mut row = row.widened(slack + 1);
            row.set(slack, Int::MINUS_ONE);
            tableau.add_inequality(&row, budget)?;
        }
        let mut most = Row::zeros(slack + 1);
        most.set(0, Int::ONE);
        most.set(slack, Int::MINUS_ONE);
        tableau.add_inequality(&most, budget)?;
        if tableau.is_empty() {
            return Ok(None);
        }
        let RationalOptimum::At(value) = tableau.maximum(&Row::unit(slack + 1, slack), budget)?
        else {
            return Ok(None);
        };
        if value.signum() <= 0 {
            return Ok(None);
        }
        let half = &value / &Rational::from(2);
        let mut least = Row::zeros(slack + 1);
        least.set(0, -&half.numerator);
        least.set(slack, half.denominator.clone());
        tableau.add_inequality(&least, budget)?;
        let Some(sample) = tableau.sample() else { return Ok(None) };
        let parameters = &sample[..self.n_parameters];
        let unit = parameters.iter().fold(Int::ONE, |lcm, value| lcm.lcm(&value.denominator));
        let scaled = |value: &Rational| &value.numerator * &unit.div_exact(&value.denominator);
        Ok(Some(std::iter::once(unit.clone()).chain(parameters.iter().map(scaled)).collect()))
    }

    /// All chambers, where the polytope is bounded.
    ///
    /// # Errors
    /// The budget is exceeded, or no generic point is found.
    pub(super) fn chambers(&self, start: &Row, budget: &Budget) -> Result<Chambers> {
        let mut all = Chambers::default();
        let mut known = FxHashMap::default();
        let mut visited: Vec<Visited> = Vec::new();
        let near = |attempt: i64| {
            let mut point = start.clone();
            point.scale(&Int::from(1000i64 << attempt.min(40)));
            for column in 1..point.len() {
                point.add_at(column, &Int::from((37 * attempt + 61 * column as i64) % 97 - 48));
            }
            point
        };
        let first = (0..N_TRIES).map(near);
        let first = self.first_cell(first, &[], budget)?;
        visited.extend(self.visit(first, &mut all, &mut known, budget)?);
        let mut next = 0;
        while next < visited.len() {
            budget.keep(visited.len() * 64 * (1 + self.n_parameters), OPERATION)?;
            for wall in 0..visited[next].walls.len() {
                budget.spend(1, OPERATION)?;
                let Some(cell) = self.behind(&visited, next, wall, budget)? else { continue };
                visited.extend(self.visit(cell, &mut all, &mut known, budget)?);
            }
            next += 1;
        }
        let Some(origin) = visited.first().map(|cell| cell.inside.clone()) else { return Ok(all) };
        let chamber = |cell: Visited| {
            let rows = cell.walls.into_iter().map(|wall| half_open(wall, &origin)).collect();
            Chamber { rows, vertices: cell.vertices }
        };
        all.chambers = visited.into_iter().map(chamber).collect();
        Ok(all)
    }

    /// The cell around the first of some points that is generic, and whose cell touches given ones.
    fn first_cell(
        &self,
        points: impl Iterator<Item = Row>,
        touched: &[Row],
        budget: &Budget,
    ) -> Result<(Vec<Row>, Vec<ChamberVertex>)> {
        for point in points {
            if self.fixed.iter().any(|row| row.dot(&point).is_negative()) && !touched.is_empty() {
                continue;
            }
            match self.around(&point, budget)? {
                Found::Nothing | Found::Wall => {}
                Found::Cell(walls, vertices) => {
                    let is_near =
                        |point: &Row| walls.iter().all(|wall| !wall.dot(point).is_negative());
                    if touched.iter().all(is_near) {
                        return Ok((walls, vertices));
                    }
                }
            }
        }
        Err(Error::too_large(OPERATION))
    }

    /// The cell on the other side of a wall, unless it is known.
    fn behind(
        &self,
        visited: &[Visited],
        from: usize,
        wall: usize,
        budget: &Budget,
    ) -> Result<Option<(Vec<Row>, Vec<ChamberVertex>)>> {
        let cell = &visited[from];
        let on_wall = cell.cone.rays().filter(|ray| cell.walls[wall].dot(ray).is_zero());
        let Some(middle) = weighted_sum(on_wall, 0) else { return Ok(None) };
        if middle.sign(0) <= 0 {
            return Ok(None);
        }
        let is_known = visited.iter().enumerate().any(|(at, other)| {
            at != from
                && other.walls.iter().all(|row| !row.dot(&middle).is_negative())
                && !other.cone.is_rationally_empty()
                && other.walls.iter().any(|row| *row == negated(&cell.walls[wall]))
        });
        if is_known || !self.is_full_over(&middle, budget)? {
            return Ok(None);
        }
        let beyond = |attempt: i64| {
            let on_wall = cell.cone.rays().filter(|ray| cell.walls[wall].dot(ray).is_zero());
            let mut point = weighted_sum(on_wall, attempt).unwrap_or_else(|| middle.clone());
            point.scale(&Int::from(16i64 << (2 * attempt).min(56)));
            // Rays have no common scale, so that the step is one by the height above the wall.
            point.add_scaled(&Int::MINUS_ONE, &cell.inside);
            point
        };
        let points = (0..N_TRIES).map(beyond).filter(|point| point.sign(0) > 0);
        self.first_cell(points, std::slice::from_ref(&middle), budget).map(Some)
    }

    /// Whether all rows can be positive over a point: nowhere on the border of the parameters that have a
    /// polytope.
    fn is_full_over(&self, point: &Row, budget: &Budget) -> Result<bool> {
        let rows = self.rows_at(point);
        let polytope = Cone::polyhedron(1 + self.n_variables, &[], &rows, budget)?;
        let inside = weighted_sum(polytope.rays(), 0);
        Ok(inside.is_some_and(|inside| rows.iter().all(|row| row.dot(&inside).is_positive())))
    }

    /// The rows over `[constant | variables]`, scaled by the unit of a point.
    fn rows_at(&self, point: &Row) -> Vec<Row> {
        let first = 1 + self.n_parameters;
        let at_point = |row: &Row| -> Row {
            let constant = row.slice(0..first).dot(point);
            std::iter::once(constant).chain((first..row.len()).map(|at| row.get(at))).collect()
        };
        self.rows.iter().map(at_point).collect()
    }

    /// Notes a cell and its vertices, unless it is known.
    fn visit(
        &self,
        cell: (Vec<Row>, Vec<ChamberVertex>),
        all: &mut Chambers,
        known: &mut FxHashMap<Vec<usize>, usize>,
        budget: &Budget,
    ) -> Result<Option<Visited>> {
        let (walls, found) = cell;
        let mut vertices = Vec::with_capacity(found.len());
        for vertex in found {
            let position = *known.entry(vertex.tight.clone()).or_insert(all.vertices.len());
            if position == all.vertices.len() {
                all.vertices.push(vertex);
            }
            vertices.push(position);
        }
        vertices.sort_unstable();
        if all.chambers.iter().any(|chamber| chamber.vertices == vertices) {
            return Ok(None);
        }
        all.chambers.push(Chamber { rows: Vec::new(), vertices: vertices.clone() });
        let walls = self.irredundant(walls, budget)?;
        let with_fixed: Vec<Row> = walls.iter().chain(&self.fixed).cloned().collect();
        let cone = Cone::polyhedron(1 + self.n_parameters, &[], &with_fixed, budget)?;
        let Some(inside) = weighted_sum(cone.rays(), 0).filter(|point| point.sign(0) > 0) else {
            return Err(Error::too_large(OPERATION));
        };
        Ok(Some(Visited { walls, cone, inside, vertices }))
    }

    /// The walls of a chamber without those that follow from others.
    fn irredundant(&self, walls: Vec<Row>, budget: &Budget) -> Result<Vec<Row>> {
        let mut tableau = Tableau::new(self.n_parameters);
        for row in &self.fixed {
            tableau.add_inequality(row, budget)?;
        }
        let mut ids = Vec::with_capacity(walls.len());
        for row in &walls {
            ids.push(tableau.add_inequality(row, budget)?);
        }
        let mut kept = Vec::with_capacity(walls.len());
        for (row, id) in walls.into_iter().zip(ids) {
            if !tableau.remove_if_implied(id, budget)? {
                kept.push(row);
            }
        }
        Ok(kept)
    }

    /// The vertices over a point, as functions of the parameters, and where all of them exist.
    fn around(&self, point: &Row, budget: &Budget) -> Result<Found> {
        let first = 1 + self.n_parameters;
        let rows = self.rows_at(point);
        let polytope = Cone::polyhedron(1 + self.n_variables, &[], &rows, budget)?;
        if polytope.is_rationally_empty() {
            return Ok(Found::Nothing);
        }
        let (mut walls, mut vertices) = (Vec::new(), Vec::new());
        for ray in polytope.rays() {
            let tight: Vec<usize> =
                (0..rows.len()).filter(|&at| rows[at].dot(ray).is_zero()).collect();
            let Some(vertex) = self.vertex(tight) else { return Ok(Found::Wall) };
            budget.spend((rows.len() * self.n_variables) as u64, OPERATION)?;
            for (at, row) in self.rows.iter().enumerate() {
                let mut value = vertex.value(row, first);
                let is_tight = vertex.tight.binary_search(&at).is_ok();
                if is_tight != value.is_zero() {
                    return Ok(Found::Wall);
                }
                let is_wall = value.first_nonzero(1..first).is_some();
                value.reduce();
                if is_wall && !walls.contains(&value) {
                    walls.push(value);
                }
            }
            vertices.push(vertex);
        }
        Ok(Found::Cell(walls, vertices))
    }

    /// The solution of tight rows; none if they leave something open.
    fn vertex(&self, tight: Vec<usize>) -> Option<ChamberVertex> {
        let first = 1 + self.n_parameters;
        let normals: Vec<Row> =
            tight.iter().map(|&at| self.rows[at].slice(first..self.rows[at].len())).collect();
        let chosen = independent(&normals, self.n_variables);
        let matrix =
            Matrix::new(chosen.iter().map(|&at| normals[at].clone()).collect(), self.n_variables);
        let (adjugate, determinant) = matrix.adjugate()?;
        let sign = Int::from(-i64::from(determinant.signum()));
        let coordinate = |row: &Row| {
            let mut value = Row::zeros(first);
            for (factor, &at) in row.iter().zip(&chosen) {
                value.add_scaled(&(&factor * &sign), &self.rows[tight[at]].slice(0..first));
            }
            value
        };
        let coordinates = adjugate.rows().iter().map(coordinate).collect();
        Some(ChamberVertex { coordinates, denominator: determinant.abs(), tight })
    }
}

impl ChamberVertex {
    /// The denominator times the value of a row at the vertex.
    fn value(&self, row: &Row, first: usize) -> Row {
        let mut value = row.slice(0..first);
        value.scale(&self.denominator);
        value.add_scaled(&Int::ONE, &self.height(&row.slice(first..row.len())));
        value
    }

    /// The denominator times the product with a vector.
    pub(super) fn height(&self, vector: &Row) -> Row {
        let width = self.coordinates.first().map_or(0, Row::len);
        let mut value = Row::zeros(width);
        for (factor, coordinate) in vector.iter().zip(&self.coordinates) {
            value.add_scaled(&factor, coordinate);
        }
        value
    }
}

fn negated(row: &Row) -> Row {
    let mut row = row.clone();
    row.negate();
    row
}

/// A wall that is closed on the side of a point only; on a tie, on that of the first parameters.
fn half_open(mut wall: Row, origin: &Row) -> Row {
    let side = match wall.dot(origin).signum() {
        0 => wall.first_nonzero(1..wall.len()).map_or(1, |column| wall.sign(column)),
        side => side,
    };
    if side < 0 {
        wall.add_at(0, &Int::MINUS_ONE);
    }
    wall
}

/// A sum of rays with different positive weights.
fn weighted_sum<'a>(rays: impl Iterator<Item = &'a Row>, attempt: i64) -> Option<Row> {
    let mut sum: Option<Row> = None;
    for (index, ray) in rays.enumerate() {
        let weight = Int::from(1 + (index as i64 * (2 * attempt + 1)) % (5 + attempt));
        let sum = sum.get_or_insert_with(|| Row::zeros(ray.len()));
        sum.add_scaled(&weight, ray);
    }
    sum
}
