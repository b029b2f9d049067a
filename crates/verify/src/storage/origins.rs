//! Where values come from: instances of references that wrote them, or elements as they were before the region.
use crate::verdict::{Violation, violation_if_any};
use loopwright_presburger::{Budget, Map, Result, Set};
use loopwright_scop::{ArrayId, ReferenceId, StatementId};
use std::collections::BTreeMap;

/// Where values come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// They were written by a reference of a statement of the program.
    Written(StatementId, ReferenceId),
    /// They are those of elements of an array before the region.
    Before(ArrayId),
}

/// From instances to the instances or elements that their values come from.
pub(super) type Origins = BTreeMap<Origin, Map>;

/// Adds values of one origin.
pub(super) fn add(origins: &mut Origins, origin: Origin, relation: Map) -> Result<()> {
    let known = origins.remove(&origin);
    let all = known.map_or(Ok(relation.clone()), |known| known.union(&relation))?;
    origins.insert(origin, all);
    Ok(())
}

/// What two relations to origins differ in, for parameters in a context: what is in one of them only.
pub(super) fn differences(
    (found, expected): (&Origins, &Origins),
    context: &Set,
    message: &impl Fn() -> String,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let more = only_in((found, expected), context, message, budget)?;
    match more.is_empty() {
        true => only_in((expected, found), context, message, budget),
        false => Ok(more),
    }
}

fn only_in(
    (these, others): (&Origins, &Origins),
    context: &Set,
    message: &impl Fn() -> String,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for (origin, relation) in these {
        let relation = relation.intersect_params(context)?;
        let rest = match others.get(origin) {
            Some(other) => relation.subtract(other, budget)?,
            None => relation,
        };
        violations.extend(violation_if_any(&rest, message, budget)?);
    }
    Ok(violations)
}
