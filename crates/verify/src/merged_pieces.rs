//! Pieces of relations merged as far as that is cheap: it saves work later, but no proof depends on it.
use loopwright_presburger::{Budget, Error, Map, Result};

/// Steps for merging the pieces of one relation.
const STEPS: u64 = 200_000;

/// The same relation, with fewer pieces if they are found within a limit.
///
/// # Errors
/// Those of merging but for the limit.
pub(crate) fn merged(map: Map, budget: &Budget) -> Result<Map> {
    if map.basic_maps().len() <= 1 {
        return Ok(map);
    }
    let part = budget.part(STEPS);
    let found = map.coalesce(&part);
    budget.charge(&part);
    match found {
        Err(Error::Exceeded { .. }) => Ok(map),
        other => other,
    }
}
