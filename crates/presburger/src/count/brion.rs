//! Sums over polytopes by their vertices (Brion, Barvinok).
//!
//! # Method
//! The generating function of a polytope is the sum of those of the cones at its vertices (Brion, "Points entiers dans les
//! polyèdres convexes", 1988). These are taken apart into unimodular ones ([`crate::count::cones`]), each with one term;
//! at one their sum is the number of points ([`crate::count::todd`]). For parameters, this is done once for each chamber
//! ([`crate::count::chambers`]): Verdoolaege, Seghir, Beyls, Loechner and Bruynooghe, "Counting integer points in parametric
//! polytopes using Barvinok's rational functions", Algorithmica 48, 2007.
use crate::core::budget::Budget;
use crate::core::error::{Error, Result};
use crate::count::chambers::{Chamber, ChamberVertex, Chambers, Interior, ParametricPolytope};
use crate::count::cones::{UnimodularCone, unimodular_cones};
use crate::count::summand::Summand;
use crate::count::todd::{bernoulli_series, height_polynomial};
use crate::polynomials::sparse::Polynomial;
use loopwright_exact::{Int, Rational, Row};
use rustc_hash::FxHashMap;

const OPERATION: &str = "the vertices of a polytope";

/// The parts of a sum whose weight has no variables, without variables; none if the weight has some.
///
/// # Errors
/// The budget is exceeded.
pub(super) fn summed_by_vertices(whole: Summand, budget: &Budget) -> Result<Option<Vec<Summand>>> {
    let mut whole = whole;
    loop {
        if whole.settle().is_err() || whole.remove_redundancies(budget)?.is_err() {
            return Ok(Some(Vec::new()));
        }
        if whole.variables.is_empty() {
            return Ok(Some(vec![whole]));
        }
        if whole.columns().any(|column| whole.weight.involves(column)) {
            return Ok(None);
        }
        let (mut polytope, place) = whole.polytope();
        match polytope.interior(budget)? {
            Interior::Empty => return Ok(Some(Vec::new())),
            Interior::At { point, satisfies_fixed } => {
                if !satisfies_fixed {
                    polytope.fixed.clear();
                }
                let chambers = polytope.chambers(&point, budget)?;
                return in_chambers(&whole, &polytope, &place, &chambers, budget).map(Some);
            }
            Interior::Equalities(rows) if rows.is_empty() => {
                return Err(Error::too_large(OPERATION));
            }
            Interior::Equalities(rows) => {
                let width = whole.width();
                let row = |at: usize| polytope.rows[at].placed(&place, width);
                whole.equalities.extend(rows.into_iter().map(row));
            }
        }
    }
}

impl Summand {
    /// The polytope of the variables, whose parameters are the fixed columns that occur; and their columns.
    fn polytope(&self) -> (ParametricPolytope, Vec<usize>) {
        let first = self.first_variable();
        let (fixed, rows): (Vec<&Row>, Vec<&Row>) =
            self.inequalities.iter().partition(|row| self.is_fixed(row));
        let occurs = |&column: &usize| rows.iter().any(|row| !row.is_zero_at(column));
        let mut place: Vec<usize> = std::iter::once(0).chain((1..first).filter(occurs)).collect();
        let n_parameters = place.len() - 1;
        let is_over = |row: &&Row| (1..first).all(|at| row.is_zero_at(at) || place.contains(&at));
        let small = |row: &Row, place: &[usize]| place.iter().map(|&at| row.get(at)).collect();
        let fixed = fixed.into_iter().filter(is_over).map(|row| small(row, &place)).collect();
        place.extend(self.columns());
        let rows = rows.into_iter().map(|row| small(row, &place)).collect();
        let n_variables = self.variables.len();
        (ParametricPolytope { n_parameters, n_variables, rows, fixed }, place)
    }

    /// The same outer columns and conditions on them, without variables.
    fn without_variables(&self) -> Summand {
        let mut part = self.clone();
        let rows = std::mem::take(&mut part.inequalities);
        part.inequalities = rows.into_iter().filter(|row| self.is_fixed(row)).collect();
        while let Some(last) = part.columns().last() {
            part.forget(last);
            part.remove_variable(last);
        }
        part
    }
}

/// What the values at one of all terms have in common.
struct Specialization<'a> {
    /// The direction in which heights are measured.
    direction: Row,
    /// Bernoulli's series.
    series: Vec<Rational>,
    /// The columns of the parameters.
    place: &'a [usize],
}

fn in_chambers(
    whole: &Summand,
    polytope: &ParametricPolytope,
    place: &[usize],
    chambers: &Chambers,
    budget: &Budget,
) -> Result<Vec<Summand>> {
    let first = 1 + polytope.n_parameters;
    let mut cones = Vec::with_capacity(chambers.vertices.len());
    let mut known: FxHashMap<Vec<Row>, usize> = FxHashMap::default();
    let mut cones_of: Vec<Vec<UnimodularCone>> = Vec::new();
    for vertex in &chambers.vertices {
        let normal = |&at: &usize| polytope.rows[at].slice(first..polytope.rows[at].len());
        let normals: Vec<Row> = vertex.tight.iter().map(normal).collect();
        let position = match known.get(&normals) {
            Some(&position) => position,
            None => {
                cones_of.push(unimodular_cones(&normals, budget)?);
                known.insert(normals, cones_of.len() - 1);
                cones_of.len() - 1
            }
        };
        cones.push(position);
    }
    let place = &place[..first];
    let at_one = Specialization {
        direction: generic_direction(&cones_of, polytope.n_variables, budget)?,
        series: bernoulli_series(polytope.n_variables),
        place,
    };
    let mut carrier = whole.without_variables();
    let mut sums = Vec::with_capacity(chambers.vertices.len());
    for (vertex, &position) in chambers.vertices.iter().zip(&cones) {
        sums.push(carrier.sum_at(vertex, &cones_of[position], &at_one, budget)?);
    }
    let part = |chamber: &Chamber| {
        let mut part = carrier.clone();
        let width = part.width();
        part.inequalities.extend(chamber.rows.iter().map(|row| row.placed(place, width)));
        let sum = chamber.vertices.iter().fold(Polynomial::zero(), |sum, &at| sum.plus(&sums[at]));
        part.weight = part.weight.times(&sum);
        part.is_part = true;
        part
    };
    Ok(chambers.chambers.iter().map(part).collect())
}

/// A direction that is orthogonal to no edge, with small entries.
fn generic_direction(cones: &[Vec<UnimodularCone>], d: usize, budget: &Budget) -> Result<Row> {
    let mut state = 1u64;
    for attempt in 0..1_000 {
        let width = 3 + 2 * (attempt / 8);
        let mut entry = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as i64 % width - width / 2
        };
        let direction = Row::from_i64s(&(0..d).map(&mut entry).collect::<Vec<_>>());
        let mut is_generic = true;
        for cone in cones.iter().flatten() {
            budget.spend(d as u64, OPERATION)?;
            is_generic = cone.edges.left_mul(&direction).iter().all(|height| !height.is_zero());
            if !is_generic {
                break;
            }
        }
        if is_generic {
            return Ok(direction);
        }
    }
    Err(Error::too_large(OPERATION))
}

impl Summand {
    /// What the cones at a vertex add to the number of points, as a polynomial in the fixed columns.
    fn sum_at(
        &mut self,
        vertex: &ChamberVertex,
        cones: &[UnimodularCone],
        at_one: &Specialization<'_>,
        budget: &Budget,
    ) -> Result<Polynomial> {
        let mut by_height: FxHashMap<Row, Vec<Rational>> = FxHashMap::default();
        for cone in cones {
            let d = at_one.direction.len();
            budget.spend((1 + d * d * (d + 4) / 3) as u64, OPERATION)?;
            let heights: Vec<Int> = cone.edges.left_mul(&at_one.direction).iter().collect();
            let apex = self.height_of_apex(vertex, cone, &heights, at_one.place);
            let mut polynomial = height_polynomial(&heights, d, &at_one.series);
            if cone.is_negative {
                polynomial.iter_mut().for_each(|value| *value = -&*value);
            }
            match by_height.get_mut(&apex) {
                Some(known) => {
                    known.iter_mut().zip(&polynomial).for_each(|(sum, value)| *sum = &*sum + value);
                }
                None => drop(by_height.insert(apex, polynomial)),
            }
        }
        let mut sum = Polynomial::zero();
        for (apex, polynomial) in by_height {
            let apex = Polynomial::from_row(&apex, &Int::ONE);
            let mut value = Polynomial::zero();
            for coefficient in polynomial.iter().rev() {
                budget.spend((value.n_terms() * apex.n_terms()) as u64, OPERATION)?;
                value = value.times(&apex);
                value.add_term(Vec::new(), coefficient);
            }
            sum = sum.plus(&value);
        }
        Ok(sum)
    }

    /// The height of the first integer point of a cone with rational vertex: its coordinates along the edges are rounded up.
    fn height_of_apex(
        &mut self,
        vertex: &ChamberVertex,
        cone: &UnimodularCone,
        heights: &[Int],
        place: &[usize],
    ) -> Row {
        let mut apex = Row::zeros(self.width());
        for (normal, height) in cone.normals.rows().iter().zip(heights) {
            let mut coordinate = vertex.height(normal).placed(place, self.width());
            coordinate.negate();
            let mut floor = self.floor_of(&coordinate, &vertex.denominator);
            floor.negate();
            apex = apex.widened(self.width());
            apex.add_scaled(height, &floor);
        }
        // Trailing zeros would tell equal heights apart.
        let length = apex.last_nonzero(0..apex.len()).map_or(0, |last| last + 1);
        apex.slice(0..length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::set::Set;
    use crate::count::pieces::side_by_side;
    use crate::count::sum::one;
    use loopwright_exact::Value;

    struct Numbers(u64);

    impl Numbers {
        fn of(&mut self, range: std::ops::RangeInclusive<i64>) -> i64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let width = range.end() - range.start() + 1;
            range.start() + (self.0 >> 33) as i64 % width
        }
    }

    /// `n_dims` variables in a box, cut by random rows over `[1 | parameters | variables]`.
    fn random_rows(
        numbers: &mut Numbers,
        n_params: usize,
        n_dims: usize,
        half: i64,
    ) -> Vec<Vec<i64>> {
        let width = 1 + n_params + n_dims;
        let mut rows = Vec::new();
        for dim in 1 + n_params..width {
            for sign in [1, -1] {
                let mut row = vec![0; width];
                (row[0], row[dim]) = (half, sign);
                rows.push(row);
            }
        }
        for _ in 0..numbers.of(1..=3) {
            let entry = |numbers: &mut Numbers| [0, 1, -1, 2, -3, 1, 5][numbers.of(0..=6) as usize];
            let mut row: Vec<i64> = (1..width).map(|_| entry(numbers)).collect();
            row.insert(0, numbers.of(-5..=6));
            rows.push(row);
        }
        rows
    }

    fn text(rows: &[Vec<i64>], n_params: usize) -> String {
        let names: Vec<String> = (1..rows[0].len())
            .map(|column| format!("{}{column}", if column <= n_params { "p" } else { "x" }))
            .collect();
        let form = |row: &Vec<i64>| {
            let terms =
                row[1..].iter().zip(&names).map(|(factor, name)| format!(" + {factor}{name}"));
            format!("{}{} >= 0", row[0], terms.collect::<String>())
        };
        let conditions: Vec<String> = rows.iter().map(form).collect();
        let (params, dims) = names.split_at(n_params);
        format!(
            "[{}] -> {{ [{}] : {} }}",
            params.join(", "),
            dims.join(", "),
            conditions.join(" and ")
        )
    }

    fn box_points(n: usize, half: i64) -> Vec<Vec<i64>> {
        (0..n).fold(vec![Vec::new()], |points, _| {
            let more =
                |point: Vec<i64>| (-half..=half).map(move |value| [&point[..], &[value]].concat());
            points.into_iter().flat_map(more).collect()
        })
    }

    /// The vertices give the same number as enumeration, for all values of parameters in a box.
    fn check(numbers: &mut Numbers, n_params: usize, n_dims: usize, half: i64) {
        let budget = &Budget::steps(100_000_000);
        let rows = random_rows(numbers, n_params, n_dims, half);
        let text = text(&rows, n_params);
        let set = Set::parse(&text).unwrap();
        let outer = set.space().to_params();
        let points = box_points(n_dims, half);
        let Some(basic) = set.0.basics.first() else { return };
        let summand = Summand::new(basic, &one(set.space()), &outer);
        let parts = summed_by_vertices(summand, budget).unwrap().unwrap();
        let count = side_by_side(&outer, &parts, budget).unwrap();
        for at in box_points(n_params, 5) {
            let is_inside = |point: &&Vec<i64>| {
                rows.iter().all(|row| {
                    let values = at.iter().chain(point.iter());
                    row[0] + row[1..].iter().zip(values).map(|(a, x)| a * x).sum::<i64>() >= 0
                })
            };
            let expected = points.iter().filter(is_inside).count();
            let at: Vec<Int> = at.iter().copied().map(Int::from).collect();
            let expected = Value::from(expected as i64);
            assert_eq!(count.eval(&at, budget).unwrap(), expected, "{text} at {at:?}: {count}");
            let on = |(domain, _): &&(Set, _)| domain.contains_point(&at, budget).unwrap();
            assert!(
                count.pieces.iter().filter(on).count() <= 1,
                "{text}: pieces overlap at {at:?}"
            );
        }
    }

    #[test]
    fn vertices_count_what_enumeration_counts() {
        let mut numbers = Numbers(3);
        for _ in 0..60 {
            check(&mut numbers, 0, 1, 6);
            check(&mut numbers, 1, 1, 5);
            check(&mut numbers, 1, 2, 4);
            check(&mut numbers, 2, 1, 4);
            check(&mut numbers, 0, 3, 3);
        }
        for _ in 0..15 {
            check(&mut numbers, 2, 2, 3);
            check(&mut numbers, 1, 3, 2);
            check(&mut numbers, 0, 4, 2);
        }
    }
}
