//! Value-based flow between references, and what two programs differ in.
use crate::verdict::{Violation, violation_if_any};
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, Map, Result};
use loopwright_scop::{ArrayId, ReferenceId, Scop, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// A reference that writes, and one that reads.
pub(super) type References = ((StatementId, ReferenceId), (StatementId, ReferenceId));

/// The flow of values between each two references.
pub(super) type Flow = BTreeMap<References, Map>;

/// The flow of the values of an array.
pub(super) fn flow(dependences: &Dependences, array: ArrayId, scop: &Scop) -> Result<Flow> {
    let mut all = Flow::new();
    for flow in dependences.nearest_flow().iter().filter(|flow| flow.array == array) {
        add(&mut all, (flow.source, flow.sink), flow.relation.intersect_params(&scop.context)?)?;
    }
    Ok(all)
}

/// Adds values that flow between two references.
pub(super) fn add(all: &mut Flow, key: References, own: Map) -> Result<()> {
    let joined = all.remove(&key).map_or(Ok(own.clone()), |known: Map| known.union(&own))?;
    all.insert(key, joined);
    Ok(())
}

/// Values of the array `name` that are no longer read, or that are read and were not.
pub(super) fn other_flow(
    (before, after): (&Flow, &Flow),
    original: &Scop,
    name: &str,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    let keys: BTreeSet<&References> = before.keys().chain(after.keys()).collect();
    for key in keys {
        let message = |what: &str| {
            let (source, sink) = (original.statement(key.0.0), original.statement(key.1.0));
            format!("{} {what} a value of `{name}` that {} has written", sink.name, source.name)
        };
        let (Some(before), Some(after)) = (before.get(key), after.get(key)) else {
            let (lost, what) = match before.get(key) {
                Some(before) => (before, "no longer reads"),
                None => (&after[key], "reads"),
            };
            violations.extend(violation_if_any(lost, || message(what), budget)?);
            continue;
        };
        let lost = before.subtract(after, budget)?;
        violations.extend(violation_if_any(&lost, || message("no longer reads"), budget)?);
        let gained = after.subtract(before, budget)?;
        violations.extend(violation_if_any(&gained, || message("reads"), budget)?);
    }
    Ok(violations)
}
