//! Under which conditions on data an access takes place, where the dependences were found with conditions as
//! filters.
use crate::network::text_at;
use loopwright_cfront::Region;
use loopwright_presburger::{DimKind, Int};
use loopwright_scop::{ArrayId, Filter, FilterValue, Statement, StatementId};

/// The conditions under which a statement of a region accesses an array, in words; nothing if it has no finer
/// model or no conditions.
pub(crate) fn conditions_of(
    region: &Region,
    statement: StatementId,
    array: ArrayId,
) -> Vec<String> {
    let Some(finer) = &region.finer else { return Vec::new() };
    let own = region.scop.statement(statement);
    let Some(places) = region.places.get(statement.0 as usize) else { return Vec::new() };
    let accesses = own.accesses.iter().zip(&places.accesses);
    let at: Vec<usize> =
        accesses.filter(|(access, _)| access.array == array).map(|(_, at)| *at).collect();
    let is_there = |statement: &&Statement| {
        let places = finer.places.get(statement.id.0 as usize);
        places.is_some_and(|places| places.accesses.iter().any(|place| at.contains(place)))
    };
    let mut found: Vec<String> = Vec::new();
    for statement in finer.scop.statements.iter().filter(is_there) {
        for filter in finer.filters.get(statement.id.0 as usize).into_iter().flatten() {
            let words = condition(finer, filter);
            found.extend(words.filter(|words| !found.contains(words)));
        }
    }
    found
}

/// A filter in words.
fn condition(finer: &Region, filter: &Filter) -> Option<String> {
    let access = filter.accesses.first()?;
    let evaluation = finer.scop.statement(access.evaluation);
    let place = finer.places.get(access.evaluation.0 as usize)?;
    let text = text_at(finer.control.as_ref()?, place.at)?;
    let condition = format!("`{}` (line {})", text.text, evaluation.location.line);
    if access.value != FilterValue::Outcome {
        return Some(format!("the values of {condition} are in {}", filter.values));
    }
    let one = filter.values.fix(DimKind::Out, 0, &Int::from(1));
    let holds = !one.plain_is_empty();
    Some(format!("{condition} {}", if holds { "holds" } else { "does not hold" }))
}
