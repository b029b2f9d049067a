//! Two simple ways to scan a union, to compare with: one loop per dimension, conditions inside.
//!
//! Quilleré, Rajopadhye, Wilde, "Generation of efficient nested loops from polyhedra" (IJPP 28(5),
//! 2000), figure 6: the bounding box, whose bounds do not depend on outer loops, as LooPo generated
//! it, and a hull, as Omega did.
use crate::cut::band::BandLevel;
use crate::cut::hulls::{bounded_hull, distinct_pieces};
use crate::cut::order::ordered_ranges;
use crate::cut::pieces::{superset, with_piecewise_bounds};
use crate::cut::projection::projected_domains;
use crate::cut::regions::separated;
use crate::cut::{Cut, SharedLoops};
use crate::level::Level;
use crate::level::degenerate_dimensions::single_value;
use crate::level::localized::localized;
use crate::level::stride::common_stride;
use crate::model::statement::Statement;
use crate::options::strategy::Baseline;
use loopwright_presburger::*;

/// [`Strategy::Baseline`](crate::Strategy::Baseline).
pub(crate) struct OneLoop {
    pub(crate) baseline: Baseline,
}

impl Cut for OneLoop {
    /// One range of values for all statements; several if every statement has a constant there, which
    /// only puts the statements in order.
    fn loops<'s>(
        &self,
        at: BandLevel<'s>,
        statements: &[&'s Statement],
    ) -> Result<Vec<SharedLoops<'s>>> {
        let pieces = pieces(self.baseline, statements, at.level)?;
        Ok(vec![SharedLoops::over(statements, pieces)])
    }

    /// For a bounding box whatever the outer dimensions are.
    fn values_for_bounds(&self, values: &Set, dimension: usize) -> Set {
        match self.baseline {
            Baseline::BoundingBox => {
                let shadow = values.project_out(DimKind::Out, 0, dimension);
                localized(&shadow.insert_dims(DimKind::Out, 0, dimension), dimension)
            }
            Baseline::Hull => localized(values, dimension),
        }
    }
}

/// The ranges of values of a level.
///
/// A dimension of which outer ones determine the value gets no loop: a box would look for that value.
fn pieces(
    baseline: Baseline,
    statements: &[&Statement],
    level: Level<'_>,
) -> Result<Vec<BasicSet>> {
    let domains = projected_domains(statements, level)?;
    if domains.is_empty() {
        return Ok(Vec::new());
    }
    let constant = |set: &Set| set.plain_get_val_if_fixed(DimKind::Out, level.dimension).is_some();
    if domains.iter().all(constant) {
        return ordered_ranges(separated(&domains, Some(level.known), level.budget)?, level);
    }
    if let Some(piece) = single_valued(&domains, statements, level)? {
        return Ok(vec![piece]);
    }
    match baseline {
        Baseline::Hull => superset(&domains, level),
        Baseline::BoundingBox => match bounding_box(&domains, level)? {
            Some(range) => Ok(vec![range]),
            None => superset(&domains, level),
        },
    }
}

/// Common bounds between which there is at most one value for given outer dimensions.
fn single_valued(
    domains: &[Set],
    statements: &[&Statement],
    level: Level<'_>,
) -> Result<Option<BasicSet>> {
    let here = level.around();
    let piece = match bounded_hull(&distinct_pieces(domains).0, level) {
        Ok(piece) => piece,
        Err(Error::Invalid { .. }) => return Ok(None),
        Err(other) => return Err(other),
    };
    let mut exact = Vec::with_capacity(statements.len());
    for statement in statements {
        exact.push(statement.domain(level.dimension).intersect(&here)?);
    }
    let stride = common_stride(&exact, level.dimension)?;
    let value = single_value(&piece, stride.as_ref(), level)?;
    Ok(value.map(|_| piece))
}

/// Common bounds in terms of the parameters; none if there are none.
fn bounding_box(domains: &[Set], level: Level<'_>) -> Result<Option<BasicSet>> {
    let (here, dimension) = (level.around(), level.dimension);
    let mut shadows = Vec::new();
    for domain in domains {
        let shadow = domain.intersect(&here)?.project_out(DimKind::Out, 0, dimension);
        shadows.extend(shadow.remove_locals().basic_sets());
    }
    let known = &level.known.project_out(DimKind::Out, 0, dimension);
    let outermost = Level { dimension: 0, known, budget: level.budget };
    let shadows = Set::from_basic_sets(outermost.space(), shadows);
    let range = match bounded_hull(&shadows, outermost) {
        Ok(range) => Some(range),
        Err(Error::Invalid { .. }) => with_piecewise_bounds(&shadows, outermost, |_| true)?,
        Err(other) => return Err(other),
    };
    let range = range.map(Set::from_basic_set);
    let range = range.map(|range| range.insert_dims(DimKind::Out, 0, dimension));
    Ok(range.and_then(|range| range.basic_sets().into_iter().next()))
}
