//! Where values come from: instances of references that wrote them, or elements as they were before the
//! region.
use crate::verdict::{Violation, violation_if_any};
use loopwright_dataflow::Dependences;
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

/// Adds values that are reached by way of another relation.
pub(super) fn add_through(origins: &mut Origins, way: &Map, further: Origins) -> Result<()> {
    for (origin, relation) in further {
        add(origins, origin, way.apply_range(&relation)?)?;
    }
    Ok(())
}

/// Where the values come from that a reference of a statement reads, as dataflow says: from its instances.
pub(super) fn of_read(
    dependences: &Dependences,
    (statement, reference): (StatementId, ReferenceId),
) -> Result<Origins> {
    let mut origins = Origins::new();
    let is_meant = |id: StatementId, r: ReferenceId| id == statement && r == reference;
    for live in dependences.live_in.iter().filter(|l| is_meant(l.statement, l.reference)) {
        add(&mut origins, Origin::Before(live.array), live.relation.clone())?;
    }
    for flow in dependences.flow.iter().filter(|f| is_meant(f.sink.0, f.sink.1)) {
        let origin = Origin::Written(flow.source.0, flow.source.1);
        add(&mut origins, origin, flow.relation.reverse())?;
    }
    Ok(origins)
}

/// Where the last values of an array come from, as dataflow says: from its elements.
pub(super) fn of_results(dependences: &Dependences, array: ArrayId) -> Result<Origins> {
    let mut origins = Origins::new();
    for live in dependences.live_out.iter().filter(|live| live.array == array) {
        let origin = Origin::Written(live.statement, live.reference);
        add(&mut origins, origin, live.relation.reverse())?;
    }
    Ok(origins)
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
    message: &dyn Fn() -> String,
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
