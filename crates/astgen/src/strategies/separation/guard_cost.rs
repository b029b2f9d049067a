//! Whether separating the values of a dimension is worth its copies.
//!
//! Quilleré, Rajopadhye, Wilde, section 8, propose to choose loop by loop: a condition costs as much
//! as it is evaluated, which is the number of points of the loop around it. That number is counted
//! for one typical value of all parameters.
use crate::level::Level;
use crate::model::statement::Statement;
use loopwright_presburger::*;

/// The value of all parameters for which iterations are counted.
const TYPICAL_SIZE: i64 = 24;
/// The most iterations that are counted; more count as this many.
const MOST_POINTS: usize = 10_000;
/// The most work for one count.
const COUNTING_STEPS: u64 = 2_000_000;

/// Whether one loop over `whole`, with conditions inside, evaluates them at most `copy_cost`
/// times for each copy of a statement that the loops over `pieces` have beyond the first.
pub(super) fn guards_are_cheaper(
    copy_cost: u64,
    whole: &[BasicSet],
    pieces: &[BasicSet],
    statements: &[&Statement],
    level: Level<'_>,
) -> Result<bool> {
    let (here, budget) = (level.around(), level.budget);
    let (mut copies, mut evaluations, mut executed) = (0u64, 0u64, 0u64);
    let mut iterations = 0;
    for piece in whole {
        let values = Set::from_basic_set(piece.clone()).intersect(&here)?;
        iterations += typical_count(&values, budget)?;
    }
    for statement in statements {
        let domain = statement.domain(level.dimension).intersect(&here)?;
        if domain.is_empty(budget)? {
            continue;
        }
        executed += 1;
        if typical_count(&domain, budget)? < iterations {
            evaluations += iterations;
        }
        for piece in pieces {
            let inside = domain.intersect(&Set::from_basic_set(piece.clone()))?;
            copies += u64::from(!inside.is_empty(budget)?);
        }
    }
    let extra = copies.saturating_sub(executed);
    Ok(extra > 0 && evaluations <= copy_cost.saturating_mul(extra))
}

/// The number of points for the typical value of the parameters, up to a limit.
fn typical_count(set: &Set, budget: &Budget) -> Result<u64> {
    let size = Int::from(TYPICAL_SIZE);
    let n_params = set.n(DimKind::Param);
    let fixed = (0..n_params).fold(set.clone(), |s, p| s.fix(DimKind::Param, p, &size));
    let fixed = fixed.project_out(DimKind::Param, 0, n_params);
    let part = budget.part(COUNTING_STEPS);
    let points = fixed.points(MOST_POINTS, &part);
    budget.charge(&part);
    match points {
        Ok(points) => Ok(points.len() as u64),
        Err(Error::Exceeded { .. } | Error::Invalid { .. }) => Ok(MOST_POINTS as u64),
        Err(other) => Err(other),
    }
}
