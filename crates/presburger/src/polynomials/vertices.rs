//! The vertices of a parametric polytope, and the cells in which the same ones exist.
//!
//! # Method
//! A vertex is the solution of as many independent tight constraints as there are variables
//! (equalities are always tight), as an affine function of the outer columns; it exists where it
//! satisfies all other constraints (Loechner and Wilde, "Parameterized polyhedra and their
//! vertices", International Journal of Parallel Programming 25(6), 1997, enumerate faces instead of
//! subsets). The cells are found by cutting the outer space along the domains of the vertices.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::constraint::Constraint;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::polynomials::sparse::Polynomial;
use crate::polynomials::system::System;
use crate::solve::tight_constraints::{TightConstraints, VertexSearch};
use loopwright_exact::Row;

/// A vertex as a function of the outer columns.
pub(super) struct Vertex {
    /// The value of each variable, a linear polynomial in the outer columns.
    pub(super) coordinates: Vec<Polynomial>,
    /// Whether all coordinates have integer coefficients.
    pub(super) is_integral: bool,
    /// Where it is a vertex.
    pub(super) domain: Set,
}

/// A part of the outer space and the vertices that exist there.
pub(super) struct Cell {
    pub(super) domain: Set,
    pub(super) vertices: Vec<usize>,
}

/// The search for vertices.
struct Search<'a> {
    system: &'a System,
    budget: &'a Budget,
    found: Vec<Vertex>,
}

impl Search<'_> {
    /// Adds the solution of the tight constraints if it exists anywhere.
    fn add(&mut self, tight: &TightConstraints) -> Result<()> {
        let first = self.system.first_variable();
        let constraint = |is_equality| {
            move |row: &Row| Constraint { is_equality, row: tight.reduced(row).slice(0..first) }
        };
        let equalities = self.system.equalities.iter().map(constraint(true));
        let constraints = equalities.chain(self.system.inequalities.iter().map(constraint(false)));
        let domain = BasicMap::from_constraints(
            self.system.outer.clone(),
            Vec::new(),
            constraints.collect(),
        );
        if domain.is_empty(self.budget)? {
            return Ok(());
        }
        let vertex = vertex(tight, first, Set(Map::from_basic_map(domain)));
        if !self.found.iter().any(|known| known.coordinates == vertex.coordinates) {
            self.found.push(vertex);
        }
        Ok(())
    }
}

/// The solution of as many tight constraints as there are variables.
fn vertex(tight: &TightConstraints, first: usize, domain: Set) -> Vertex {
    let mut is_integral = true;
    let coordinate = |(column, row): &&(usize, Row)| {
        let divisor = -row.get(*column);
        is_integral &= row.gcd(0..first).is_divisible_by(&divisor);
        Polynomial::from_row(&row.slice(0..first), &divisor)
    };
    let coordinates = tight.solved().iter().map(coordinate).collect();
    Vertex { coordinates, is_integral, domain }
}

/// All vertices of a polytope that exist for some outer point.
///
/// # Errors
/// [`Error::Exceeded`](crate::Error::Exceeded): subsets of the constraints are tried.
pub(super) fn vertices(system: &System, budget: &Budget) -> Result<Vec<Vertex>> {
    let columns = system.first_variable()..system.width();
    let tight = TightConstraints::of_equalities(&system.equalities, columns.clone());
    let operation = "the vertices of a polytope";
    let choices = VertexSearch { inequalities: &system.inequalities, columns, budget, operation };
    let mut search = Search { system, budget, found: Vec::new() };
    choices.visit(&tight, &mut |tight| search.add(tight))?;
    Ok(search.found)
}

/// The parts of the outer space in which the same vertices exist, without the part with none.
///
/// # Errors
/// [`Error::Exceeded`](crate::Error::Exceeded): every vertex may double the number of cells.
pub(super) fn cells(vertices: &[Vertex], outer: &Space, budget: &Budget) -> Result<Vec<Cell>> {
    let mut cells = vec![Cell { domain: Set::universe(outer.clone()), vertices: Vec::new() }];
    for (index, vertex) in vertices.iter().enumerate() {
        let mut next = Vec::with_capacity(2 * cells.len());
        for Cell { domain, vertices } in cells {
            budget.spend(1, "the cells of a polytope")?;
            let inside = domain.intersect_within(&vertex.domain, budget)?;
            let outside = domain.subtract(&vertex.domain, budget)?;
            if !outside.is_empty(budget)? {
                next.push(Cell { domain: outside, vertices: vertices.clone() });
            }
            if !inside.is_empty(budget)? {
                let vertices = [&vertices[..], &[index]].concat();
                next.push(Cell { domain: inside, vertices });
            }
        }
        cells = next;
    }
    cells.retain(|cell| !cell.vertices.is_empty());
    Ok(cells)
}
