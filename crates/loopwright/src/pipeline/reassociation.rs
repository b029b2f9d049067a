//! Updates in any order: on request, and those whose results are the same bit for bit.
use loopwright_dataflow::{Dependences, reassociated, reassociated_totals};
use loopwright_presburger::{Budget, Error, Result};
use loopwright_scop::Scop;

/// The dependences without the order of reassociated updates, and a remark on what is assumed; with
/// it if there are no such updates or a limit is reached.
pub(crate) fn relaxed(
    scop: &Scop,
    in_order: Dependences,
    budget: &Budget,
) -> Result<(Dependences, String)> {
    match reassociated(scop, &in_order, budget) {
        Ok(Some(relaxed)) => {
            let remark = assumption(scop, &relaxed);
            Ok((relaxed, remark))
        }
        Ok(None) => Ok((in_order, "there are no updates to reassociate".to_string())),
        Err(Error::Exceeded { operation, .. }) => {
            let remark = format!("updates keep their order: a limit was reached ({operation})");
            Ok((in_order, remark))
        }
        Err(other) => Err(other),
    }
}

/// The dependences without the order of what adds up integers, and a remark on that, if there is such a thing and it is
/// found out within the budget.
pub(crate) fn without_order_of_totals(
    scop: &Scop,
    in_order: Dependences,
    budget: &Budget,
) -> Result<(Dependences, Option<String>)> {
    match reassociated_totals(scop, &in_order, budget) {
        Ok(Some(relaxed)) => {
            let names = updated(scop, &relaxed);
            let remark = format!("any order of {names} gives the same total of integers");
            Ok((relaxed, Some(remark)))
        }
        Ok(None) | Err(Error::Exceeded { .. }) => Ok((in_order, None)),
        Err(other) => Err(other),
    }
}

/// Which statements may run in another order.
fn assumption(scop: &Scop, relaxed: &Dependences) -> String {
    format!("assumed: the updates of {} may be reassociated", updated(scop, relaxed))
}

/// The names of the statements whose updates may run in another order.
fn updated(scop: &Scop, relaxed: &Dependences) -> String {
    let is_update = |id| relaxed.reassociated().iter().any(|d| d.source.0 == id || d.sink.0 == id);
    let updates = scop.statements.iter().filter(|statement| is_update(statement.id));
    let names: Vec<&str> = updates.map(|statement| &*statement.name).collect();
    names.join(", ")
}
