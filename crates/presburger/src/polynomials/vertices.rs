//! The vertices of a parametric polytope, and the cells in which the same ones exist.
//!
//! # Method
//! The vertices are functions of the outer columns ([`crate::solve::vertex_enumeration`]); one exists where
//! it satisfies all constraints (Loechner and Wilde, "Parameterized polyhedra and their vertices",
//! International Journal of Parallel Programming 25(6), 1997, enumerate faces instead of subsets). The cells
//! are found by cutting the outer space along the domains of the vertices.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::constraint::Constraint;
use crate::core::error::Result;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::Space;
use crate::polynomials::sparse::Polynomial;
use crate::polynomials::system::System;
use crate::solve::tight_constraints::TightConstraints;
use crate::solve::vertex_enumeration::{Coordinates, VertexProblem};
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

/// Where the solution of some tight constraints satisfies all others.
fn domain_of(system: &System, tight: Option<&TightConstraints>) -> BasicMap {
    let Some(tight) = tight else { return BasicMap::universe(system.outer.clone()) };
    let first = system.first_variable();
    let constraint = |is_equality| {
        move |row: &Row| Constraint { is_equality, row: tight.reduced(row).slice(0..first) }
    };
    let equalities = system.equalities.iter().map(constraint(true));
    let constraints = equalities.chain(system.inequalities.iter().map(constraint(false)));
    BasicMap::from_constraints(system.outer.clone(), Vec::new(), constraints.collect())
}

/// All vertices of a polytope that exist for some outer point.
///
/// # Errors
/// [`Error::Exceeded`](crate::Error::Exceeded): subsets of the constraints are tried.
pub(super) fn vertices(system: &System, budget: &Budget) -> Result<Vec<Vertex>> {
    let problem = VertexProblem {
        equalities: &system.equalities,
        inequalities: &system.inequalities,
        n_outer: system.first_variable(),
        n_variables: system.width() - system.first_variable(),
        operation: "the vertices of a polytope",
    };
    let mut domains = Vec::new();
    let found = problem.vertices(
        &mut |_, tight| {
            let domain = domain_of(system, tight);
            let exists = !domain.is_empty(budget)?;
            if exists {
                domains.push(Set(Map::from_basic_map(domain)));
            }
            Ok(exists)
        },
        budget,
    )?;
    let vertex = |(coordinates, domain): (Coordinates, Set)| Vertex {
        is_integral: coordinates.iter().all(|value| value.get(0).is_one()),
        coordinates: coordinates
            .iter()
            .map(|value| Polynomial::from_row(&value.slice(1..value.len()), &value.get(0)))
            .collect(),
        domain,
    };
    Ok(found.into_iter().zip(domains).map(vertex).collect())
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
