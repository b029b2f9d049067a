//! Generating functions: sums of `c x^w / ((1 - x^b_1) ... (1 - x^b_d))`.
//!
//! # Method
//! The function of a polyhedron without lines is the sum of those of the cones at its vertices, of which the
//! ones with lines add nothing (Barvinok and Pommersheim, 1999). Parameters are variables like dimensions, so
//! that the function of a parametric set is a series in its parameters (Verdoolaege and Woods, "Counting with
//! rational generating functions", 2008). Equalities are solved first, in a basis of the lattice of their
//! integer solutions.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::count::cones::{UnimodularCone, unimodular_cones};
use crate::count::todd::{bernoulli_series, height_polynomial};
use crate::solve::double_description::Cone;
use crate::solve::implicit_equalities::hull_equalities;
use crate::solve::system::System;
use loopwright_exact::{Int, Matrix, Rational, Row};
use std::fmt;

const OPERATION: &str = "generating function";

/// `coefficient x^exponent / product of (1 - x^b)`; the powers `b` are independent.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    coefficient: Rational,
    exponent: Row,
    denominator: Vec<Row>,
}

/// A rational function whose expansion has a term `x^p` for each integer point `p`: parameters first, then
/// dimensions.
///
/// ```
/// # use loopwright_presburger::{Budget, GeneratingFunction, Int, Rational, Set};
/// let budget = &Budget::unlimited();
/// let quadrant = Set::parse("{ [i, j] : i >= 2 and j >= 0 }")?;
/// let function = GeneratingFunction::of(&quadrant, budget)?;
/// assert_eq!(function.to_string(), "i^2/((1 - i)*(1 - j))");
/// assert_eq!(function.coefficient(&[Int::from(5), Int::from(1)]), Rational::one());
/// assert_eq!(function.coefficient(&[Int::from(1), Int::from(1)]), Rational::zero());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratingFunction {
    names: Vec<String>,
    terms: Vec<Term>,
}

fn invalid<T>(reason: &str) -> Result<T> {
    Err(Error::Invalid { operation: OPERATION, reason: reason.to_owned() })
}

impl GeneratingFunction {
    /// The function of the integer points of a set.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, GeneratingFunction, Set};
    /// let even = Set::parse("{ [i] : i >= 0 and i mod 2 = 0 }")?;
    /// let function = GeneratingFunction::of(&even, &Budget::unlimited())?;
    /// assert_eq!(function.to_string(), "1/(1 - i^2)");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the set contains a line or has floors that equalities do not determine,
    /// [`Error::Exceeded`].
    pub fn of(set: &Set, budget: &Budget) -> Result<Self> {
        let disjoint = set.coalesce(budget).during(OPERATION)?;
        let disjoint = disjoint.make_disjoint(budget).during(OPERATION)?;
        let mut terms = Vec::new();
        for basic in &disjoint.0.basics {
            terms.extend(terms_of(basic, budget).during(OPERATION)?);
        }
        Ok(GeneratingFunction { names: names(set.space()), terms: collected(terms) })
    }

    /// The number of terms.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, GeneratingFunction, Set};
    /// let interval = Set::parse("{ [i] : 0 <= i <= 9 }")?;
    /// assert_eq!(GeneratingFunction::of(&interval, &Budget::unlimited())?.n_terms(), 2);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn n_terms(&self) -> usize {
        self.terms.len()
    }

    /// The sum of two functions in as many variables.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, GeneratingFunction, Rational, Set};
    /// let budget = &Budget::unlimited();
    /// let low = GeneratingFunction::of(&Set::parse("{ [i] : 0 <= i <= 9 }")?, budget)?;
    /// let high = GeneratingFunction::of(&Set::parse("{ [i] : 20 <= i <= 21 }")?, budget)?;
    /// assert_eq!(low.plus(&high)?.value_at_one(budget)?, Rational::from(12));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] for different numbers of variables.
    pub fn plus(&self, other: &Self) -> Result<Self> {
        if self.names.len() != other.names.len() {
            return invalid("different numbers of variables");
        }
        let terms = self.terms.iter().chain(&other.terms).cloned().collect();
        Ok(GeneratingFunction { names: self.names.clone(), terms: collected(terms) })
    }

    /// The product with a monomial: the points are moved.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, GeneratingFunction, Row, Set};
    /// let ray = GeneratingFunction::of(&Set::parse("{ [i] : i >= 0 }")?, &Budget::unlimited())?;
    /// assert_eq!(ray.times_monomial(&Row::from_i64s(&[3]))?.to_string(), "i^3/(1 - i)");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] for another number of variables.
    pub fn times_monomial(&self, exponent: &Row) -> Result<Self> {
        if exponent.len() != self.names.len() {
            return invalid("different numbers of variables");
        }
        let mut product = self.clone();
        for term in &mut product.terms {
            term.exponent.add_scaled(&Int::ONE, exponent);
        }
        Ok(product)
    }

    /// The function of the pairs of points: the product, in the variables of both.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, GeneratingFunction, Set};
    /// let budget = &Budget::unlimited();
    /// let rows = GeneratingFunction::of(&Set::parse("{ [i] : i >= 1 }")?, budget)?;
    /// let columns = GeneratingFunction::of(&Set::parse("{ [j] : j >= 0 }")?, budget)?;
    /// assert_eq!(rows.product(&columns).to_string(), "i/((1 - i)*(1 - j))");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn product(&self, other: &Self) -> Self {
        let (n, m) = (self.names.len(), other.names.len());
        let wide = |row: &Row| row.widened(n + m);
        let moved = |row: &Row| {
            let mut row = row.clone();
            row.insert_zeros(0, n);
            row
        };
        let product = |a: &Term, b: &Term| Term {
            coefficient: &a.coefficient * &b.coefficient,
            exponent: {
                let mut exponent = wide(&a.exponent);
                exponent.add_scaled(&Int::ONE, &moved(&b.exponent));
                exponent
            },
            denominator: a
                .denominator
                .iter()
                .map(wide)
                .chain(b.denominator.iter().map(moved))
                .collect(),
        };
        let terms = self.terms.iter().flat_map(|a| other.terms.iter().map(move |b| product(a, b)));
        let names = self.names.iter().chain(&other.names).cloned().collect();
        GeneratingFunction { names, terms: terms.collect() }
    }

    /// The coefficient of a monomial in the expansion: 1 for the points of a set, 0 for others.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, GeneratingFunction, Int, Rational, Set};
    /// let triangle = Set::parse("{ [i, j] : 0 <= j <= i <= 3 }")?;
    /// let function = GeneratingFunction::of(&triangle, &Budget::unlimited())?;
    /// assert_eq!(function.coefficient(&[Int::from(3), Int::from(2)]), Rational::one());
    /// assert_eq!(function.coefficient(&[Int::from(2), Int::from(3)]), Rational::zero());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn coefficient(&self, point: &[Int]) -> Rational {
        let counts = |term: &&Term| term.reaches(point);
        let terms = self.terms.iter().filter(counts);
        terms.fold(Rational::zero(), |sum, term| sum + &term.coefficient)
    }

    /// The value where all variables are one: the number of points.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, GeneratingFunction, Rational, Set};
    /// let budget = &Budget::unlimited();
    /// let triangle = Set::parse("{ [i, j] : 0 <= j <= i <= 3 }")?;
    /// assert_eq!(GeneratingFunction::of(&triangle, budget)?.value_at_one(budget)?, Rational::from(10));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if there are infinitely many, [`Error::Exceeded`].
    pub fn value_at_one(&self, budget: &Budget) -> Result<Rational> {
        let n_edges = self.terms.iter().map(|term| term.denominator.len()).max().unwrap_or(0);
        let direction = self.generic_direction(budget)?;
        let series = bernoulli_series(n_edges);
        // The coefficients of t^-n, ..., t^0: all but the last vanish at finitely many points.
        let mut values = vec![Rational::zero(); n_edges + 1];
        for term in &self.terms {
            let d = term.denominator.len();
            budget.spend((d * d * d + 1) as u64, OPERATION)?;
            let heights: Vec<Int> =
                term.denominator.iter().map(|edge| edge.dot(&direction)).collect();
            let apex = Rational::from(term.exponent.dot(&direction));
            for degree in 0..=d {
                let polynomial = height_polynomial(&heights, degree, &series);
                let value = polynomial
                    .iter()
                    .rev()
                    .fold(Rational::zero(), |value, coefficient| &(&value * &apex) + coefficient);
                let at = n_edges - d + degree;
                values[at] = &values[at] + &(&value * &term.coefficient);
            }
        }
        let value = values.pop().unwrap_or_default();
        match values.iter().all(Rational::is_zero) {
            true => Ok(value),
            false => invalid("it has a pole where all variables are one: infinitely many points"),
        }
    }

    fn generic_direction(&self, budget: &Budget) -> Result<Row> {
        for step in 1..1_000i64 {
            let entry =
                |column: usize| Int::from(1 + step * column as i64).pow(1 + (column % 3) as u32);
            let direction: Row = (0..self.names.len()).map(entry).collect();
            budget.spend(self.terms.len() as u64, OPERATION)?;
            let mut edges = self.terms.iter().flat_map(|term| &term.denominator);
            if edges.all(|edge| !edge.dot(&direction).is_zero()) {
                return Ok(direction);
            }
        }
        Err(Error::too_large(OPERATION))
    }
}

/// Terms with the same power and denominator joined.
fn collected(terms: Vec<Term>) -> Vec<Term> {
    let mut kept: Vec<Term> = Vec::with_capacity(terms.len());
    for term in terms {
        let same = |known: &&mut Term| {
            known.exponent == term.exponent && known.denominator == term.denominator
        };
        match kept.iter_mut().find(same) {
            Some(known) => known.coefficient = &known.coefficient + &term.coefficient,
            None => kept.push(term),
        }
    }
    kept.retain(|term| !term.coefficient.is_zero());
    kept
}

fn names(space: &Space) -> Vec<String> {
    let params = space.param_names().iter().map(|name| name.to_string());
    let dims = space.dim_names(DimKind::Out).into_iter().enumerate();
    let dims = dims.map(|(i, name)| name.map_or(format!("i{i}"), |name| name.to_string()));
    params.chain(dims).collect()
}

/// The integer solutions of equalities: `origin + z basis`.
struct Lattice {
    origin: Row,
    basis: Matrix,
    /// The columns of parameters and dimensions, which come first.
    n_kept: usize,
}

impl Lattice {
    fn of(equalities: &[Row], n: usize, n_kept: usize) -> Option<Self> {
        if equalities.is_empty() {
            return Some(Lattice { origin: Row::zeros(n), basis: Matrix::identity(n), n_kept });
        }
        let coefficients = equalities.iter().map(|row| row.slice(1..row.len())).collect();
        let right: Row = equalities.iter().map(|row| -row.get(0)).collect();
        let solution = Matrix::new(coefficients, n).solve_integer(&right)?;
        Some(Lattice { origin: solution.particular, basis: solution.basis, n_kept })
    }

    /// A constraint over `[constant | z]`.
    fn inside(&self, row: &Row) -> Row {
        let linear = row.slice(1..row.len());
        let constant = row.get(0) + linear.dot(&self.origin);
        let along = self.basis.rows().iter().map(|vector| vector.dot(&linear));
        std::iter::once(constant).chain(along).collect()
    }

    /// A direction in parameters and dimensions.
    fn direction(&self, z: &Row) -> Row {
        self.basis.left_mul(z).slice(0..self.n_kept)
    }

    fn point(&self, z: &Row) -> Row {
        let mut point = self.direction(z);
        point.add_scaled(&Int::ONE, &self.origin.slice(0..self.n_kept));
        point
    }
}

fn terms_of(basic: &BasicMap, budget: &Budget) -> Result<Vec<Term>> {
    let system = System::from_basic_map(basic);
    let Some(equalities) = hull_equalities(system.clone(), budget)? else { return Ok(Vec::new()) };
    let n_kept = basic.space().n_all();
    let Some(lattice) = Lattice::of(&equalities, system.width - 1, n_kept) else {
        return Ok(Vec::new());
    };
    let d = lattice.basis.n_rows();
    if d == 0 {
        let (coefficient, exponent) = (Rational::one(), lattice.point(&Row::zeros(0)));
        return Ok(vec![Term { coefficient, exponent, denominator: Vec::new() }]);
    }
    let rows = system.inequalities.iter().map(|row| lattice.inside(row));
    let rows: Vec<Row> = rows.filter(|row| row.first_nonzero(1..row.len()).is_some()).collect();
    let polyhedron = Cone::polyhedron(1 + d, &[], &rows, budget)?;
    if !polyhedron.lines().is_empty() {
        return invalid("the set contains a line");
    }
    let expansion = expansion_direction(&rows, d);
    let goes_up = |ray: &Row| ray.sign(0) > 0 || ray.slice(1..1 + d).dot(&expansion).is_positive();
    if !polyhedron.rays().all(goes_up) {
        return Err(Error::too_large(OPERATION));
    }
    let mut terms = Vec::new();
    for vertex in polyhedron.rays().filter(|ray| ray.sign(0) > 0) {
        let tight = rows.iter().filter(|row| row.dot(vertex).is_zero());
        let normals: Vec<Row> = tight.map(|row| row.slice(1..row.len())).collect();
        for cone in unimodular_cones(&normals, budget)? {
            terms.push(cone_term(vertex, &cone, &lattice, &expansion)?);
        }
    }
    Ok(terms)
}

/// The function of a unimodular cone at a vertex.
fn cone_term(
    vertex: &Row,
    cone: &UnimodularCone,
    lattice: &Lattice,
    expansion: &Row,
) -> Result<Term> {
    let position = vertex.slice(1..vertex.len());
    let first = |normal: &Row| normal.dot(&position).div_ceil(&vertex.get(0));
    let factors: Row = cone.normals.rows().iter().map(first).collect();
    let mut apex = cone.edges.right_mul(&factors);
    let mut is_negative = cone.is_negative;
    let mut denominator = Vec::with_capacity(position.len());
    for column in 0..position.len() {
        let mut edge = cone.edges.column(column);
        let height = edge.dot(expansion);
        if height.is_zero() {
            return Err(Error::too_large(OPERATION));
        }
        if height.is_negative() {
            // 1/(1 - x^b) = -x^-b/(1 - x^-b)
            edge.negate();
            apex.add_scaled(&Int::ONE, &edge);
            is_negative = !is_negative;
        }
        let edge = lattice.direction(&edge);
        if edge.is_zero() {
            return invalid("the set has floors that no equality determines");
        }
        denominator.push(edge);
    }
    denominator.sort_by(|a, b| a.iter().cmp(b.iter()).reverse());
    let coefficient = Rational::from(if is_negative { -1 } else { 1 });
    Ok(Term { coefficient, exponent: lattice.point(&apex), denominator })
}

/// The sum of the normals, which all directions of recession go up in, with a little added that hardly any
/// edge is orthogonal to: a point of the moment curve.
fn expansion_direction(rows: &[Row], d: usize) -> Row {
    let base = Int::from(1009);
    let large = base.pow(d as u32 + 3);
    let mut direction = Row::zeros(d);
    for row in rows {
        direction.add_scaled(&large, &row.slice(1..row.len()));
    }
    for column in 0..d {
        direction.add_at(column, &base.pow(column as u32));
    }
    direction
}

impl Term {
    /// Whether a point is the exponent plus natural multiples of the powers in the denominator.
    fn reaches(&self, point: &[Int]) -> bool {
        let mut rest: Row = point.iter().cloned().collect();
        if rest.len() != self.exponent.len() {
            return false;
        }
        rest.add_scaled(&Int::MINUS_ONE, &self.exponent);
        if self.denominator.is_empty() {
            return rest.is_zero();
        }
        let matrix = Matrix::new(self.denominator.clone(), rest.len()).transpose();
        let solution = matrix.solve_integer(&rest);
        solution
            .is_some_and(|solution| solution.particular.iter().all(|value| !value.is_negative()))
    }
}

/// `x^2*y`, or nothing.
fn monomial(names: &[String], exponent: &Row) -> String {
    let factors = names.iter().zip(exponent.iter()).filter(|(_, power)| !power.is_zero());
    let factor = |(name, power): (&String, Int)| match power.is_one() {
        true => name.clone(),
        false => format!("{name}^{power}"),
    };
    factors.map(factor).collect::<Vec<_>>().join("*")
}

impl fmt::Display for GeneratingFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("0");
        }
        for (index, term) in self.terms.iter().enumerate() {
            let is_negative = term.coefficient.signum() < 0;
            match (index, is_negative) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" - ")?,
            }
            let power = monomial(&self.names, &term.exponent);
            let coefficient = term.coefficient.abs();
            match (coefficient == Rational::one(), power.is_empty()) {
                (true, true) => f.write_str("1")?,
                (true, false) => f.write_str(&power)?,
                (false, true) => write!(f, "{coefficient}")?,
                (false, false) => write!(f, "{coefficient}*{power}")?,
            }
            let factors: Vec<String> = term
                .denominator
                .iter()
                .map(|edge| format!("(1 - {})", monomial(&self.names, edge)))
                .collect();
            match &factors[..] {
                [] => {}
                [only] => write!(f, "/{only}")?,
                all => write!(f, "/({})", all.join("*"))?,
            }
        }
        Ok(())
    }
}
