//! Parametric vertices and the chambers of the parameter space.
//!
//! # Method
//! Clauss and Loechner, "Parametric analysis of polyhedral iteration spaces" (1998). A vertex is
//! the solution `x = f(p)` of as many independent constraints as there are dimensions, for those
//! parameters for which it satisfies all the others; only vertices count that exist for a part of the
//! parameters with full dimension. A *chamber* is a region in which the same vertices exist:
//! the intersection of the domains of its vertices. The chambers are found by splitting the
//! parameter space at the domain of one vertex after the other.
//! The vertices themselves are found in [`crate::solve::vertex_enumeration`].
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::space::{DimKind, Space};
use crate::functions::aff::Aff;
use crate::functions::multi_aff::MultiAff;
use crate::hulls::convex_hull::Polyhedron;
use crate::solve::vertex_enumeration::VertexProblem;
use loopwright_exact::Row;
use std::collections::HashSet;

const OPERATION: &str = "parametric vertices";

/// A vertex of a parametric polyhedron.
///
/// ```
/// # use loopwright_presburger::{Budget, Set};
/// let set = Set::parse("[n] -> { [i] : 2 <= i <= n }")?;
/// let found = set.basic_sets()[0].vertices(&Budget::unlimited())?;
/// let texts: Vec<String> = found.vertices.iter().map(|v| v.expression.to_string()).collect();
/// assert_eq!(texts, ["[n] -> { [(n)] }", "[n] -> { [(2)] }"]);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Vertex {
    /// The parameters for which this is a vertex (rationally; here: its integer points).
    pub domain: BasicSet,
    /// The coordinates as expressions in the parameters, with rational coefficients.
    pub expression: MultiAff,
}

/// A region of the parameter space in which a polyhedron has the same vertices.
///
/// ```
/// # use loopwright_presburger::{Budget, Set};
/// let set = Set::parse("[n] -> { [i] : 0 <= i <= n and i <= 9 }")?;
/// let found = set.basic_sets()[0].vertices(&Budget::unlimited())?;
/// // Below and above n = 9, each with two of the three vertices.
/// assert_eq!(found.chambers.iter().map(|c| c.vertices.len()).collect::<Vec<_>>(), [2, 2]);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chamber {
    /// The region, a polyhedron of full dimension; neighbours share boundaries.
    pub domain: BasicSet,
    /// The positions of its vertices in [`ParametricVertices::vertices`].
    pub vertices: Vec<usize>,
}

/// The vertices of a parametric polyhedron and its chambers.
///
/// ```
/// # use loopwright_presburger::{Budget, ParametricVertices, Set};
/// let set = Set::parse("[n] -> { [i, j] : 0 <= j <= i <= n }")?;
/// let found: ParametricVertices = set.basic_sets()[0].vertices(&Budget::unlimited())?;
/// assert_eq!((found.vertices.len(), found.chambers.len()), (3, 1));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ParametricVertices {
    /// The vertices, without duplicates.
    pub vertices: Vec<Vertex>,
    /// The chambers: they cover the parameters for which there are vertices.
    pub chambers: Vec<Chamber>,
}

/// A vertex while it is being computed: `x_i` as rows `[denominator | constant | parameters]`.
#[derive(Clone, PartialEq)]
struct Solution {
    coordinates: Vec<Row>,
    domain: Polyhedron,
}

/// The polyhedron in the columns `[1 | parameters | dimensions]`.
struct Problem {
    rows: Vec<Row>,
    equalities: Vec<Row>,
    n_params: usize,
    n_dims: usize,
    /// The dimension of the equalities that all parameters satisfy.
    n_fixed: usize,
    context: Polyhedron,
}

impl Problem {
    /// The vertices, in the order in which depth-first choices of tight constraints find them.
    fn solutions(&self, budget: &Budget) -> Result<Vec<Solution>> {
        let end = 1 + self.n_params;
        let problem = VertexProblem {
            equalities: &self.equalities,
            inequalities: &self.rows,
            n_outer: end,
            n_variables: self.n_dims,
            operation: OPERATION,
        };
        let mut domains = Vec::new();
        let coordinates = problem.vertices(
            &mut |_, tight| {
                let domain = match tight {
                    None => Some(self.context.clone()),
                    Some(tight) => {
                        let mut domain = self.context.clone();
                        let reduced = |row| tight.reduced(row).slice(0..end);
                        domain.inequalities.extend(self.rows.iter().map(reduced));
                        self.full(domain, budget)?
                    }
                };
                let exists = domain.is_some();
                domains.extend(domain);
                Ok(exists)
            },
            budget,
        )?;
        let solution = |(coordinates, domain)| Solution { coordinates, domain };
        Ok(coordinates.into_iter().zip(domains).map(solution).collect())
    }

    /// The polyhedron of parameters without redundant constraints, if it has full dimension.
    fn full(&self, domain: Polyhedron, budget: &Budget) -> Result<Option<Polyhedron>> {
        let irredundant = domain.irredundant(budget)?;
        Ok(irredundant.filter(|domain| domain.equalities.len() == self.n_fixed))
    }

    /// The sets of vertices of the chambers: regions are split by the domains of one vertex after the
    /// other.
    fn chambers(&self, vertices: &[Solution], budget: &Budget) -> Result<Vec<Vec<usize>>> {
        let (mut chambers, mut known) = (Vec::new(), HashSet::new());
        let whole = Region { domain: self.context.clone(), vertices: Vec::new(), next: 0 };
        let mut pending = vec![whole];
        while let Some(region) = pending.pop() {
            budget.spend(1, OPERATION)?;
            match vertices.get(region.next) {
                Some(vertex) => self.split(region, &vertex.domain, &mut pending, budget)?,
                None if region.vertices.is_empty() => {}
                None if known.insert(region.vertices.clone()) => chambers.push(region.vertices),
                None => {}
            }
        }
        Ok(chambers)
    }

    /// The parts of a region inside and outside of the domain of its next vertex; the first of them is put
    /// on `pending` last.
    fn split(
        &self,
        region: Region,
        domain: &Polyhedron,
        pending: &mut Vec<Region>,
        budget: &Budget,
    ) -> Result<()> {
        let Region { domain: mut inside, mut vertices, next } = region;
        let mut parts = Vec::new();
        let is_new = |row: &&Row| !inside.inequalities.contains(row);
        let rows: Vec<&Row> = domain.inequalities.iter().filter(is_new).collect();
        for row in &rows {
            let mut outside = inside.clone();
            let mut opposite = (*row).clone();
            opposite.negate();
            outside.inequalities.push(opposite);
            if let Some(domain) = self.full(outside, budget)? {
                budget.spend(vertices.len() as u64 / 16, OPERATION)?;
                parts.push(Region { domain, vertices: vertices.clone(), next: next + 1 });
            }
            inside.inequalities.push((*row).clone());
        }
        let inside = if rows.is_empty() { Some(inside) } else { self.full(inside, budget)? };
        if let Some(domain) = inside {
            vertices.push(next);
            parts.push(Region { domain, vertices, next: next + 1 });
        }
        pending.extend(parts.into_iter().rev());
        Ok(())
    }
}

/// A part of the parameter space, with those of the first `next` vertices that exist in it.
struct Region {
    domain: Polyhedron,
    vertices: Vec<usize>,
    next: usize,
}

fn to_set(space: &Space, domain: &Polyhedron) -> BasicSet {
    let mut data = BasicRelation::new(space.clone(), Vec::new());
    data.equalities = domain.equalities.clone();
    data.inequalities = domain.inequalities.clone();
    BasicSet::from_basic_map(BasicMap::from_data(data))
}

impl BasicSet {
    /// The vertices of the set (as a rational polyhedron, existentials projected out) as functions of the
    /// parameters, and the chambers of the parameter space.
    ///
    /// A polyhedron with lines has no vertices.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Set};
    /// let budget = Budget::unlimited();
    /// let set = Set::parse("[n] -> { [i, j] : 0 <= i <= n and 0 <= j <= i and j <= 5 }")?;
    /// let found = set.basic_sets()[0].vertices(&budget)?;
    /// // (0, 0), (n, 0); (n, n) for n <= 5; (5, 5) and (n, 5) for n >= 5.
    /// assert_eq!(found.vertices.len(), 5);
    /// let mut sizes: Vec<usize> = found.chambers.iter().map(|c| c.vertices.len()).collect();
    /// sizes.sort();
    /// assert_eq!(sizes, [3, 4]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* With parameters the sets of as many constraints as there are dimensions are tried, and the
    /// number of chambers may grow with a power of the number of vertices. Without parameters the double
    /// description method takes their place.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a set of parameters, [`Error::Exceeded`].
    pub fn vertices(&self, budget: &Budget) -> Result<ParametricVertices> {
        if self.space().is_params() {
            let reason = format!("{} has no tuple", self.space());
            return Err(Error::Invalid { operation: "vertices", reason });
        }
        let nothing = ParametricVertices { vertices: Vec::new(), chambers: Vec::new() };
        let relaxed = Polyhedron::from_basic_map(&self.0).irredundant(budget).during("vertices")?;
        let Some(relaxed) = relaxed.filter(|_| !self.plain_is_empty()) else {
            return Ok(nothing);
        };
        let polyhedron = relaxed.project(self.offset(DimKind::Local), budget).during("vertices")?;
        let (n_params, n_dims) = (self.n(DimKind::Param), self.n(DimKind::Out));
        let context = polyhedron.clone().project(1 + n_params, budget).during("vertices")?;
        let n_fixed = context.equalities.len();
        let Polyhedron { equalities, inequalities: rows, .. } = polyhedron;
        let problem = Problem { rows, equalities, n_params, n_dims, n_fixed, context };
        let found = problem.solutions(budget).during("vertices")?;
        let chambers = problem.chambers(&found, budget).during("vertices")?;
        problem.describe(self.space(), &found, chambers, budget).during("vertices")
    }
}

impl Problem {
    /// Vertices and chambers as sets and expressions.
    fn describe(
        &self,
        space: &Space,
        found: &[Solution],
        chambers: Vec<Vec<usize>>,
        budget: &Budget,
    ) -> Result<ParametricVertices> {
        let params = space.to_params();
        let coordinate =
            |row: &Row| Aff::from_row(&params, Vec::new(), row.slice(1..row.len()), row.get(0));
        let vertex = |solution: &Solution| {
            let coordinates = solution.coordinates.iter().map(coordinate).collect();
            let expression = MultiAff::new(space.clone(), coordinates)?;
            Ok(Vertex { domain: to_set(&params, &solution.domain), expression })
        };
        let mut described = Vec::with_capacity(chambers.len());
        for vertices in chambers {
            let mut domain = self.context.clone();
            for &index in &vertices {
                domain.inequalities.extend(found[index].domain.inequalities.iter().cloned());
            }
            if let Some(domain) = self.full(domain, budget)? {
                described.push(Chamber { domain: to_set(&params, &domain), vertices });
            }
        }
        let vertices = found.iter().map(vertex).collect::<Result<_>>()?;
        Ok(ParametricVertices { vertices, chambers: described })
    }
}
