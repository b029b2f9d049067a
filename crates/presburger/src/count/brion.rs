//! Sums over polytopes by their vertices (Brion, Barvinok).
//!
//! # Method
//! The generating function of a polytope is the sum of those of the cones at its vertices (Brion, "Points
//! entiers dans les polyèdres convexes", 1988). These are taken apart into unimodular ones
//! ([`crate::count::cones`]), each with one term; at one their sum is the number of points
//! ([`crate::count::todd`]), and the next terms of the expansion there are the sums of powers of a linear
//! form, of which weights consist ([`crate::count::linear_forms`]). For parameters, this is done once for
//! each chamber ([`crate::count::chambers`]): Verdoolaege, Seghir, Beyls, Loechner and Bruynooghe, "Counting
//! integer points in parametric polytopes using Barvinok's rational functions", Algorithmica 48, 2007.
use crate::core::budget::Budget;
use crate::core::error::{Error, Result};
use crate::count::chambers::{Chamber, ChamberVertex, Chambers, Interior, ParametricPolytope};
use crate::count::cones::{UnimodularCone, unimodular_cones};
use crate::count::linear_forms::PowerSum;
use crate::count::summand::Summand;
use crate::count::todd::{bernoulli_series, height_polynomial};
use crate::polynomials::sparse::Polynomial;
use loopwright_exact::{Int, Rational, Row};
use rustc_hash::FxHashMap;

const OPERATION: &str = "the vertices of a polytope";

/// The parts of a sum, without variables.
///
/// # Errors
/// The budget is exceeded.
pub(super) fn summed_by_vertices(whole: Summand, budget: &Budget) -> Result<Vec<Summand>> {
    let mut whole = whole;
    loop {
        if whole.settle().is_err() || whole.remove_redundancies(budget)?.is_err() {
            return Ok(Vec::new());
        }
        if whole.variables.is_empty() {
            return Ok(vec![whole]);
        }
        let (mut polytope, place) = whole.polytope();
        match polytope.interior(budget)? {
            Interior::Empty => return Ok(Vec::new()),
            Interior::At { point, satisfies_fixed } => {
                if !satisfies_fixed {
                    polytope.fixed.clear();
                }
                let chambers = polytope.chambers(&point, budget)?;
                return in_chambers(&whole, &polytope, &place, &chambers, budget);
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

/// What the expansions at one of all terms have in common.
struct Expansion<'a> {
    /// The weight.
    powers: &'a PowerSum,
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
    let (cones_of, cone_at) = cones_at_vertices(polytope, chambers, budget)?;
    let place = &place[..1 + polytope.n_parameters];
    let is_generic = |form: &Row| has_heights(&cones_of, form, budget);
    let powers = PowerSum::of(&whole.weight, whole.columns(), is_generic, budget)?;
    let most = powers.powers.iter().map(|power| power.degree).max().unwrap_or(0);
    let series = bernoulli_series(polytope.n_variables + most);
    let at_one = Expansion { powers: &powers, series, place };
    let mut carrier = whole.without_variables();
    let mut sums = Vec::with_capacity(chambers.vertices.len());
    for (vertex, &cones) in chambers.vertices.iter().zip(&cone_at) {
        sums.push(carrier.sums_at(vertex, &cones_of[cones], &at_one, budget)?);
    }
    let part = |chamber: &Chamber| {
        let mut part = carrier.clone();
        let width = part.width();
        part.inequalities.extend(chamber.rows.iter().map(|row| row.placed(place, width)));
        part.weight = Polynomial::zero();
        for (at, power) in powers.powers.iter().enumerate() {
            let mut sum = Polynomial::zero();
            chamber.vertices.iter().for_each(|&vertex| sum.add(&sums[vertex][at]));
            part.weight.add(&power.coefficient.times(&sum));
        }
        part.is_part = true;
        part
    };
    Ok(chambers.chambers.iter().map(part).collect())
}

/// The cones at vertices, equal ones once, and for each vertex which are its own.
fn cones_at_vertices(
    polytope: &ParametricPolytope,
    chambers: &Chambers,
    budget: &Budget,
) -> Result<(Vec<Vec<UnimodularCone>>, Vec<usize>)> {
    let first = 1 + polytope.n_parameters;
    let mut known: FxHashMap<Vec<Row>, usize> = FxHashMap::default();
    let (mut cones_of, mut cone_at) = (Vec::new(), Vec::with_capacity(chambers.vertices.len()));
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
        cone_at.push(position);
    }
    Ok((cones_of, cone_at))
}

/// Whether a form is zero on no edge.
fn has_heights(cones: &[Vec<UnimodularCone>], form: &Row, budget: &Budget) -> Result<bool> {
    for cone in cones.iter().flatten() {
        budget.spend(form.len() as u64, OPERATION)?;
        if cone.edges.left_mul(form).iter().any(|height| height.is_zero()) {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Summand {
    /// What the cones at a vertex add to the sum of each power, as a polynomial in the fixed columns.
    fn sums_at(
        &mut self,
        vertex: &ChamberVertex,
        cones: &[UnimodularCone],
        at_one: &Expansion<'_>,
        budget: &Budget,
    ) -> Result<Vec<Polynomial>> {
        let powers = &at_one.powers.powers;
        let mut by_height: Vec<FxHashMap<Row, Vec<Rational>>> =
            vec![FxHashMap::default(); powers.len()];
        for cone in cones {
            let apex = self.apex(vertex, cone, at_one.place);
            for (power, by_height) in powers.iter().zip(&mut by_height) {
                let degree = cone.edges.n_rows() + power.degree;
                budget.spend((1 + degree * degree * (degree + 4) / 3) as u64, OPERATION)?;
                let form = &at_one.powers.forms[power.form];
                let heights: Vec<Int> = cone.edges.left_mul(form).iter().collect();
                let mut polynomial = height_polynomial(&heights, degree, &at_one.series);
                if cone.is_negative {
                    polynomial.iter_mut().for_each(|value| *value = -&*value);
                }
                let height = self.height(&apex, &heights);
                match by_height.get_mut(&height) {
                    Some(known) => known
                        .iter_mut()
                        .zip(&polynomial)
                        .for_each(|(sum, value)| *sum = &*sum + value),
                    None => drop(by_height.insert(height, polynomial)),
                }
            }
        }
        by_height.into_iter().map(|heights| value_of(heights, budget)).collect()
    }

    /// The first integer point of a cone with rational vertex: its coordinates along the edges are rounded
    /// up.
    fn apex(&mut self, vertex: &ChamberVertex, cone: &UnimodularCone, place: &[usize]) -> Vec<Row> {
        let mut apex = Vec::with_capacity(cone.normals.n_rows());
        for normal in cone.normals.rows() {
            let mut coordinate = vertex.height(normal).placed(place, self.width());
            coordinate.negate();
            let mut floor = self.floor_of(&coordinate, &vertex.denominator);
            floor.negate();
            apex.push(floor);
        }
        apex
    }

    /// The height of a point, by its coordinates along edges of given heights.
    fn height(&self, apex: &[Row], heights: &[Int]) -> Row {
        let mut sum = Row::zeros(self.width());
        for (coordinate, height) in apex.iter().zip(heights) {
            sum.add_scaled(height, &coordinate.widened(self.width()));
        }
        // Trailing zeros would tell equal heights apart.
        let length = sum.last_nonzero(0..sum.len()).map_or(0, |last| last + 1);
        sum.slice(0..length)
    }
}

/// The sum of polynomials in heights.
fn value_of(heights: FxHashMap<Row, Vec<Rational>>, budget: &Budget) -> Result<Polynomial> {
    let mut sum = Polynomial::zero();
    for (height, polynomial) in heights {
        let n_variables = height.iter().skip(1).filter(|value| !value.is_zero()).count();
        budget.spend(n_monomials(n_variables, polynomial.len() - 1), OPERATION)?;
        sum.add_powers_of_form(&polynomial, &height);
    }
    Ok(sum)
}

/// The number of monomials of at most a degree.
fn n_monomials(n_variables: usize, degree: usize) -> u64 {
    let next = |all: u64, k: usize| all.saturating_mul((n_variables + k) as u64) / k as u64;
    (1..=degree).fold(1, next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::basic_map::BasicMap;
    use crate::core::set::Set;
    use crate::count::pieces::side_by_side;
    use crate::count::sum::one;
    use crate::polynomials::qpolynomial::QPolynomial;
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

    /// The set of some rows, and a weight on it: the square of a variable times another one, plus a
    /// parameter.
    fn texts(rows: &[Vec<i64>], n_params: usize) -> (String, String) {
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
        let (params, tuple) = (params.join(", "), dims.join(", "));
        let weight = format!("{}^2*{} + {}", dims[0], dims[dims.len() - 1], names[0]);
        (
            format!("[{params}] -> {{ [{tuple}] : {} }}", conditions.join(" and ")),
            format!("[{params}] -> {{ [{tuple}] -> {weight} }}"),
        )
    }

    fn box_points(n: usize, half: i64) -> Vec<Vec<i64>> {
        (0..n).fold(vec![Vec::new()], |points, _| {
            let more =
                |point: Vec<i64>| (-half..=half).map(move |value| [&point[..], &[value]].concat());
            points.into_iter().flat_map(more).collect()
        })
    }

    /// The vertices give the same numbers and sums as enumeration, for all values of parameters in a box.
    fn check(numbers: &mut Numbers, n_params: usize, n_dims: usize, half: i64) {
        let rows = random_rows(numbers, n_params, n_dims, half);
        let (text, weight) = texts(&rows, n_params);
        let set = Set::parse(&text).unwrap();
        let Some(basic) = set.0.basics.first() else { return };
        check_sum(&rows, basic, &one(set.space()), |_| 1);
        let weight = QPolynomial::parse(&weight).unwrap();
        check_sum(&rows, basic, &weight, |point| {
            let dims = &point[n_params..];
            dims[0] * dims[0] * dims[n_dims - 1] + point[0]
        });
    }

    fn check_sum(
        rows: &[Vec<i64>],
        basic: &BasicMap,
        weight: &QPolynomial,
        value: impl Fn(&[i64]) -> i64,
    ) {
        let budget = &Budget::steps(100_000_000);
        let outer = basic.space().to_params();
        let n_params = outer.n_all();
        let n_dims = rows[0].len() - 1 - n_params;
        let parts = summed_by_vertices(Summand::new(basic, weight, &outer), budget).unwrap();
        let sum = side_by_side(&outer, &parts, budget).unwrap();
        let points = box_points(n_dims, rows[0][0]);
        for at in box_points(n_params, 5) {
            let inside = points.iter().map(|point| [&at[..], point].concat()).filter(|point| {
                let value = |row: &Vec<i64>| {
                    row[0] + row[1..].iter().zip(point).map(|(a, x)| a * x).sum::<i64>()
                };
                rows.iter().all(|row| value(row) >= 0)
            });
            let expected = Value::from(inside.map(|point| value(&point)).sum::<i64>());
            let at: Vec<Int> = at.iter().copied().map(Int::from).collect();
            assert_eq!(sum.eval(&at, budget).unwrap(), expected, "{basic:?} at {at:?}: {sum}");
            let on = |(domain, _): &&(Set, _)| domain.contains_point(&at, budget).unwrap();
            assert!(
                sum.pieces.iter().filter(on).count() <= 1,
                "{basic:?}: pieces overlap at {at:?}"
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
