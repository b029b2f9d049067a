//! The bounds of one loop: found where its piece has none, and left out where others imply them.
use crate::cut::Cut;
use crate::level::Level;
use crate::level::bounds::{involving, is_bounded, without_far_bounds};
use crate::level::implied_constraints::without_implied;
use crate::level::piecewise_bounds::{PiecewiseBounds, piecewise_bounds};
use crate::model::statement::Statement;
use loopwright_presburger::*;

/// Where further bounds of a piece are looked for.
pub(super) struct BoundSearch<'a> {
    pub(super) cut: &'a dyn Cut,
    /// Whether bounds that conditions choose are wanted.
    pub(super) conditional: bool,
}

impl BoundSearch<'_> {
    /// A piece with further bounds: constraints that the values of the statements imply without
    /// stating them, or else piecewise ones; the piece as it is if there are none.
    pub(super) fn bounded(
        &self,
        statements: &[&Statement],
        bounds: BasicSet,
        level: Level<'_>,
    ) -> Result<(BasicSet, PiecewiseBounds)> {
        let dimension = level.dimension;
        let piece = Set::from_basic_set(bounds.clone());
        let values = values_inside(statements, &piece, level)?;
        let rational = values.remove_locals();
        let hull = rational.simple_hull(level.budget)?;
        let with = |hull: BasicSet| -> Result<Option<BasicSet>> {
            let bounds = Set::from_basic_set(involving(&hull, dimension, true));
            let bounded = piece.intersect(&bounds)?.basic_sets();
            Ok(bounded.into_iter().find(|basic| is_bounded(basic, dimension)))
        };
        if let Some(bounded) = with(without_far_bounds(hull.clone(), &rational, dimension))? {
            return Ok((bounded, PiecewiseBounds::default()));
        }
        let values = self.cut.values_for_bounds(&values, dimension);
        match piecewise_bounds(&values, &bounds, level) {
            Ok(Some(found)) => match with(hull)? {
                Some(bounded) if !self.conditional && !found.are_extremes() => {
                    Ok((bounded, PiecewiseBounds::default()))
                }
                _ => Ok((bounds, found)),
            },
            Ok(None) => Ok((with(hull)?.unwrap_or(bounds), PiecewiseBounds::default())),
            Err(exceeded @ Error::Exceeded { .. }) => match with(hull)? {
                Some(bounded) => Ok((bounded, PiecewiseBounds::default())),
                None => Err(exceeded),
            },
            Err(other) => Err(other),
        }
    }
}

/// The values of statements in a piece, without disjuncts that have none.
fn values_inside(statements: &[&Statement], piece: &Set, level: Level<'_>) -> Result<Set> {
    let here = level.around().intersect(piece)?;
    let mut basics = Vec::new();
    for statement in statements {
        for basic in statement.domain(level.dimension).intersect(&here)?.basic_sets() {
            if !Set::from_basic_set(basic.clone()).is_empty(level.budget)? {
                basics.push(basic);
            }
        }
    }
    Ok(Set::from_basic_sets(piece.space().clone(), basics))
}

/// The bounds without those that follow from others and from what holds outside, where there are
/// several on a side.
pub(super) fn needed_bounds(bounds: &BasicSet, level: Level<'_>) -> Result<BasicSet> {
    let map = bounds.as_basic_map();
    let column = map.offset(DimKind::Out) + level.dimension;
    let n = |sign: i32| map.inequalities().iter().filter(|row| row.sign(column) == sign).count();
    if n(1) <= 1 && n(-1) <= 1 {
        return Ok(bounds.clone());
    }
    let constraints = without_implied(map, map.constraints(), &level.around())?;
    let locals = map.locals().to_vec();
    let needed = BasicMap::from_constraints(map.space().clone(), locals, constraints);
    let needed = BasicSet::from_basic_map(needed);
    Ok(if is_bounded(&needed, level.dimension) { needed } else { bounds.clone() })
}
