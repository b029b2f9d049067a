//! How much a tile grows from a time step to the one before.
//!
//! A tile has to have all values that the values of its block come from. Along one dimension of the data and
//! towards one side, let an instance of `S` at the `n`-th step before the last of its band be in the tile if
//! it lies at most `a n + c(S)` beyond the block. That is enough if for every flow from an instance of `P` to
//! one of `S` that comes `dt` steps later and lies `dx` further inside,
//!
//! ```text
//! a n + c(S) + dx <= a (n + dt) + c(P),     or     c(P) - c(S) >= dx - a dt.
//! ```
//!
//! For a given `a` these are difference constraints, with the greatest value of `dx - a dt` over all pairs of
//! the flow, an integer optimum; there are `c` of them if no circle of statements is positive (Bellman and
//! Ford, [`potentials`]). The least `a` that has a solution is taken. If values flow within one time step in
//! circles there is none: no tiles of this kind can start concurrently.
use crate::overlapped::site::{Site, Tiled, refused};
use crate::tile::distances::{Least, potentials};
use loopwright_presburger::{Aff, DimKind, Int, Optimum, Rational, Set};
use loopwright_scop::StatementId;

/// The greatest growth per time step that is tried. A stencil of radius `r` grows by `r`, one with two halves
/// of a step by `2 r`.
const FASTEST: i64 = 16;

/// How much tiles grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The time steps of a tile.
    pub steps: i64,
    /// The extents of its block.
    pub sizes: Vec<i64>,
    /// The statements.
    pub statements: Vec<StatementId>,
    /// For each dimension of the data: towards smaller and greater coordinates.
    pub sides: Vec<[Side; 2]>,
}

/// The growth towards one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// By how much a tile grows from a step to the one before.
    pub per_step: i64,
    /// How far the instances of each statement reach beyond the block in the last step.
    pub last: Vec<i64>,
}

impl Growth {
    pub(super) fn of(site: &Site<'_>) -> Tiled<Growth> {
        let distances = distances(site)?;
        let mut sides = Vec::with_capacity(site.sizes.len());
        for dimension in 0..site.sizes.len() {
            let lower = side(site, &distances, dimension, 1)?;
            let upper = side(site, &distances, dimension, -1)?;
            sides.push([lower, upper]);
        }
        let statements = site.statements.clone();
        Ok(Growth { steps: site.steps, sizes: site.sizes.clone(), statements, sides })
    }

    /// How many instances tiles execute for each one of the program, away from the borders of the data: the
    /// average of what is executed over the steps, divided by the size of a block.
    ///
    /// For one statement that grows by `r` on all sides this is
    /// `sum over s < tau of prod over k of (sigma_k + 2 r s) / (tau prod over k of sigma_k)`.
    pub fn redundancy(&self) -> Rational {
        let mut executed = Int::ZERO;
        for statement in 0..self.statements.len() {
            for before in 0..self.steps {
                let extents = self.sides.iter().zip(&self.sizes).map(|(sides, size)| {
                    let beyond = |side: &Side| side.per_step * before + side.last[statement];
                    Int::from(size + sides.iter().map(beyond).sum::<i64>())
                });
                executed =
                    &executed + &extents.fold(Int::ONE, |product, extent| &product * &extent);
            }
        }
        let block = self.sizes.iter().fold(Int::ONE, |product, size| &product * &Int::from(*size));
        let runs = Int::from(self.steps * i64::try_from(self.statements.len()).unwrap_or(1));
        Rational::new(executed, &runs * &block)
    }
}

/// Distances from one statement to another, by positions among the statements: of steps, then of places.
struct Distances {
    source: usize,
    sink: usize,
    distances: Set,
}

/// The distances of all flow within a band.
fn distances(site: &Site<'_>) -> Tiled<Vec<Distances>> {
    let position = |id: StatementId| site.statements.iter().position(|known| *known == id);
    let mut all = Vec::new();
    for flow in &site.dependences.flow {
        let (from, to) = (flow.source.0, flow.sink.0);
        let (Some(source), Some(sink)) = (position(from), position(to)) else { continue };
        let relation = flow.relation.intersect_params(&site.scop.context)?;
        let relation = relation.apply_domain(&site.coordinates(from)?.to_map())?;
        let distances = relation.apply_range(&site.coordinates(to)?.to_map())?.deltas()?;
        let distances = distances.upper_bound(DimKind::Out, 0, &Int::from(site.steps - 1));
        all.push(Distances { source, sink, distances });
    }
    Ok(all)
}

/// The growth towards smaller coordinates for `sign` 1, towards greater ones for -1.
fn side(site: &Site<'_>, all: &[Distances], dimension: usize, sign: i64) -> Tiled<Side> {
    'speeds: for per_step in 0..=FASTEST {
        let mut constraints = Vec::with_capacity(all.len());
        for Distances { source, sink, distances } in all {
            let space = distances.space();
            let inside = Aff::variable(space, DimKind::Out, 1 + dimension).scale(&Int::from(sign));
            let later = Aff::variable(space, DimKind::Out, 0).scale(&Int::from(per_step));
            match distances.max_val(&inside.sub(&later)?, site.budget)? {
                Optimum::Empty => {}
                Optimum::Unbounded => continue 'speeds,
                Optimum::At(most) => {
                    constraints.push(Least { source: *source, sink: *sink, value: -&most });
                }
            }
        }
        // What potentials keep below zero is how far a statement reaches, negated.
        let Ok(values) = potentials(site.statements.len(), &constraints) else { continue };
        let last: Option<Vec<i64>> = values.iter().map(|value| (-value).to_i64()).collect();
        let Some(last) = last else { continue };
        return Ok(Side { per_step, last });
    }
    refused(format!(
        "values move along dimension {dimension} of the data within a time step, or faster than {FASTEST} elements per \
         step: tiles cannot start at the same time"
    ))
}
