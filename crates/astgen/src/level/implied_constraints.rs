//! Constraints that follow from others.
use crate::level::half_space::{half_space, negation};
use loopwright_presburger::*;

/// The most work for all constraints of a set.
const STEPS: u64 = 100_000;

/// The constraints without inequalities that follow from `known` and the other ones.
pub(crate) fn without_implied(
    map: &BasicMap,
    mut constraints: Vec<Constraint>,
    known: &Set,
) -> Result<Vec<Constraint>> {
    let budget = Budget::steps(STEPS);
    for position in (0..constraints.len()).rev() {
        let constraint = &constraints[position];
        if constraint.is_equality {
            continue;
        }
        let others = [&constraints[..position], &constraints[position + 1..]].concat();
        let locals = map.locals().to_vec();
        let others = BasicMap::from_constraints(map.space().clone(), locals, others);
        let others = Set::from_basic_set(BasicSet::from_basic_map(others));
        let violated = half_space(map, negation(&constraint.row));
        match known.intersect(&others)?.intersect(&violated)?.is_empty(&budget) {
            Ok(true) => drop(constraints.remove(position)),
            Ok(false) | Err(Error::Exceeded { .. }) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(constraints)
}
