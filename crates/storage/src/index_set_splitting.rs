//! Index set splitting guided by occupancy vectors (Yuki and Rajopadhye, section 6, algorithm 1).
//!
//! Values on a boundary of a domain may live longer than those inside. They get cells of their own, so that
//! the others need no more than their own uses ask for.
use crate::occupancy::Consumer;
use crate::universe::{Bands, RunKind};
use loopwright_exact::Int;
use loopwright_presburger::{Aff, Budget, Optimum, Result, Set};

/// A use of some of the values of a statement.
#[derive(Clone, Debug)]
pub struct BoundedUse {
    /// At which distance.
    pub consumer: Consumer,
    /// The producers of the values.
    pub producers: Set,
}

/// The parts of `domain`, the instances of a statement, that had better have cells of their own: boundaries
/// first, the rest last. One part if there is nothing to split.
///
/// A boundary is where uses are whose producers lie in a flat of less dimensions than the domain, and whose
/// distance no use elsewhere has or covers (all of whose components are less than or equal to the greatest
/// ones of uses elsewhere, in permutable loops; in loops that run in lexicographic order, not greater than
/// the greatest one). Boundaries that have points in common are one part.
///
/// The paper's boundaries are one point thick. Here a set is one, too, if it is within a number of points
/// from a face of the domain, which goes further the larger the sizes are.
///
/// *Cost.* An affine hull per use, and a test for common points per pair.
///
/// # Errors
/// If the budget runs out, or sets are not of one space.
pub fn split_boundaries(
    domain: &Set,
    uses: &[BoundedUse],
    bands: &Bands,
    budget: &Budget,
) -> Result<Vec<Set>> {
    let (mut boundary, mut main) = (Vec::new(), Vec::new());
    for bounded in uses {
        match is_boundary(&bounded.producers, domain, budget)? {
            true => boundary.push(bounded),
            false => main.push(bounded),
        }
    }
    boundary.retain(|bounded| {
        let is_known = main.iter().any(|other| other.consumer == bounded.consumer);
        !is_known && !is_covered(&bounded.consumer, &main, bands)
    });
    let mut parts: Vec<Set> = Vec::new();
    for bounded in boundary {
        let mut own = bounded.producers.intersect_within(domain, budget)?;
        let mut apart = Vec::new();
        for part in parts {
            if part.is_disjoint(&own, budget)? {
                apart.push(part);
            } else {
                own = own.union(&part)?;
            }
        }
        apart.push(own.coalesce(budget)?);
        parts = apart;
    }
    let mut rest = domain.clone();
    for part in &parts {
        rest = rest.subtract(part, budget)?;
    }
    parts.retain(|part| !part.plain_is_empty());
    parts.push(rest.coalesce(budget)?);
    Ok(parts)
}

/// Whether a part of a domain lies in a flat of less dimensions, or near a face of it: a constraint of the
/// domain is at most a number from being tight on the part, and not on the domain.
pub(crate) fn is_boundary(part: &Set, domain: &Set, budget: &Budget) -> Result<bool> {
    if n_equalities(part, budget)? > n_equalities(domain, budget)? {
        return Ok(true);
    }
    let space = domain.space();
    let part = part.align_params(space);
    if !part.space().has_equal_params(space) {
        return Ok(false);
    }
    let basics = domain.basic_sets();
    let faces = basics.iter().filter(|basic| basic.locals().is_empty());
    for row in faces.flat_map(|basic| basic.inequalities()) {
        let distance = Aff::from_row(space, Vec::new(), row.clone(), Int::ONE);
        if domain.max_val(&distance, budget)? == Optimum::Unbounded
            && matches!(part.max_val(&distance, budget)?, Optimum::At(_))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The number of independent equalities that hold on a set.
fn n_equalities(set: &Set, budget: &Budget) -> Result<usize> {
    Ok(set.as_map().affine_hull(budget)?.equalities().len())
}

/// Whether vectors for the other uses are long enough for this one, too.
fn is_covered(consumer: &Consumer, others: &[&BoundedUse], bands: &Bands) -> bool {
    let is_comparable = |other: &&&BoundedUse| {
        other.consumer.distance.len() == consumer.distance.len()
            && other.consumer.is_behind >= consumer.is_behind
    };
    let others: Vec<&Vec<Int>> =
        others.iter().filter(is_comparable).map(|other| &other.consumer.distance).collect();
    let mut start = 0;
    for run in &bands.runs {
        let end = consumer.distance.len().min(start + run.n_dims);
        let own = &consumer.distance[start.min(end)..end];
        let parts = others.iter().map(|other| &other[start.min(end)..end]);
        let is_within = match run.kind {
            RunKind::Sequential => parts.max().is_some_and(|most| own <= most),
            RunKind::Tilable => own.iter().enumerate().all(|(at, component)| {
                parts.clone().map(|part| &part[at]).max().is_some_and(|most| component <= most)
            }),
        };
        if !is_within {
            return false;
        }
        start += run.n_dims;
    }
    true
}
