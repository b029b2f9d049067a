//! Updates in any order: on request, and those whose results are the same bit for bit.
use loopwright_cfront::Region;
use loopwright_dataflow::{Dependences, reassociated, reassociated_totals};
use loopwright_presburger::{Budget, Error, Result};
use loopwright_scop::{Scop, Statement};

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

/// The dependences without the order of what adds up integers and of updates that the program allows in any
/// order, and remarks on that, if there is such a thing and it is found out within the budget.
pub(crate) fn without_order_of_totals(
    region: &Region,
    in_order: Dependences,
    budget: &Budget,
) -> Result<(Dependences, Vec<String>)> {
    let (scop, allowed) = (&region.scop, &region.in_any_order);
    match reassociated_totals(scop, &in_order, allowed, budget) {
        Ok(Some(relaxed)) => {
            let is_allowed =
                |statement: &Statement| allowed.iter().any(|(allowed, _)| *allowed == statement.id);
            let totals = updated(scop, &relaxed, |statement| !is_allowed(statement));
            let others = updated(scop, &relaxed, is_allowed);
            let mut remarks = Vec::new();
            if !totals.is_empty() {
                remarks.push(format!("any order of {totals} gives the same total of integers"));
            }
            if !others.is_empty() {
                let clause = "as clauses `reduction` say";
                remarks.push(format!("the updates of {others} may be reassociated, {clause}"));
            }
            Ok((relaxed, remarks))
        }
        Ok(None) | Err(Error::Exceeded { .. }) => Ok((in_order, Vec::new())),
        Err(other) => Err(other),
    }
}

/// Which statements may run in another order.
fn assumption(scop: &Scop, relaxed: &Dependences) -> String {
    format!("assumed: the updates of {} may be reassociated", updated(scop, relaxed, |_| true))
}

/// The names of the statements whose updates may run in another order, of some kind.
fn updated(scop: &Scop, relaxed: &Dependences, is_wanted: impl Fn(&Statement) -> bool) -> String {
    let is_update = |id| relaxed.reassociated().iter().any(|d| d.source.0 == id || d.sink.0 == id);
    let updates = scop.statements.iter().filter(|statement| is_update(statement.id));
    let wanted = updates.filter(|statement| is_wanted(statement));
    let names: Vec<&str> = wanted.map(|statement| &*statement.name).collect();
    names.join(", ")
}
