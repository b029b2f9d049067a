//! Legality of a schedule: every dependence runs forward, and live ranges stay apart.
//!
//! # What is checked
//! Let `t` be the time of an instance (the flattened schedule). A flow or forced dependence
//! `a -> b` needs `t(a) < t(b)`. An order dependence `a -> b` separates two live ranges of one
//! element: one that ends with the access `a` (it starts at the write `w` whose value `a` reads, or
//! at `a` itself) and one that starts with the write `b` (and lasts to the reads `r` of its value,
//! at least to `b`). It may be reversed if the second range as a whole comes first: `t(r) < t(w)`
//! for all such `r` and `w`, or `r` and `w` belong to one instance, which reads before it writes
//! ("Scheduling for PPCG", section 3.3).
//!
//! # Method
//! Level by level, outermost first: among the pairs not yet ordered, those with a greater source
//! time are violations, those with equal times are left for the next level. Nothing may be left.
use crate::verdict::{Proof, Violation, is_soon_empty, violation_if_any};
use loopwright_dataflow::{Dependence, Dependences};
use loopwright_presburger::{
    BasicMap, Budget, Constraint, DimKind, Error, Map, Result, Row, Space, Tuple, UnionMap,
};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Scop, StatementId};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Checks that `tree` respects every dependence.
///
/// *Exactness.* Exact for all values of the parameters in the scop's context.
/// *Cost.* Some emptiness checks per dependence and level.
pub fn check_schedule(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Proof> {
    let times = Times::new(scop, &tree.flatten_on_whole_spaces()?);
    Proof::from_violations(find_violations(scop, dependences, &times, budget))
}

/// Earlier relations between two statements with which one is compared.
const COMPARED: usize = 16;

/// Whether a relation plainly is one of the last known ones.
fn is_known(known: &[&Map], relation: &Map) -> bool {
    known.iter().rev().take(COMPARED).any(|known| known.plain_is_equal(relation))
}

fn find_violations(
    scop: &Scop,
    dependences: &Dependences,
    times: &Times,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    violations.extend(times.missing(scop));
    // Accesses of many arrays, as those of unknown calls, have equal relations: each is looked at once.
    let mut in_order: BTreeMap<(StatementId, StatementId), Vec<&Map>> = BTreeMap::new();
    for dependence in dependences.flow.iter().chain(&dependences.forced) {
        let known = in_order.entry((dependence.source.0, dependence.sink.0)).or_default();
        if is_known(known, &dependence.relation) {
            continue;
        }
        let relation = dependence.relation.intersect_params(&scop.context)?;
        let wrong = times.not_before(dependence.source.0, dependence.sink.0, &relation, budget)?;
        if wrong.is_empty() {
            known.push(&dependence.relation);
        }
        for part in wrong {
            let message = || describe("does not run before its dependent", scop, dependence);
            violations.extend(violation_if_any(&part, message, budget)?);
        }
    }
    for dependence in &dependences.order {
        let known = in_order.entry((dependence.source.0, dependence.sink.0)).or_default();
        if is_known(known, &dependence.relation) {
            continue;
        }
        let relation = dependence.relation.intersect_params(&scop.context)?;
        let swapped =
            times.not_before(dependence.source.0, dependence.sink.0, &relation, budget)?;
        for part in swapped {
            if !part.is_empty(budget)? {
                violations.extend(overlaps(scop, dependences, dependence, &part, times, budget)?);
            }
        }
    }
    Ok(violations)
}

fn describe(what: &str, scop: &Scop, dependence: &Dependence) -> String {
    let statement = |id: StatementId| &scop.statements[id.0 as usize];
    let (source, sink) = (statement(dependence.source.0), statement(dependence.sink.0));
    format!(
        "an instance of {} (line {}) {what} of {} (line {}) through `{}`",
        source.name,
        source.location.line,
        sink.name,
        sink.location.line,
        scop.arrays[dependence.array.0 as usize].name
    )
}

/// The violations caused by live ranges whose order dependence `swapped` is reversed.
fn overlaps(
    scop: &Scop,
    dependences: &Dependences,
    order: &Dependence,
    swapped: &Map,
    times: &Times,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let mut starts: Vec<(StatementId, Map)> = Vec::new();
    for flow in dependences.flow.iter().filter(|flow| flow.sink == order.source) {
        starts.push((flow.source.0, flow.relation.apply_range(swapped)?));
    }
    let is_write = |d: &Dependence| scop_access_is_write(scop, d.source);
    if is_write(order) || starts.is_empty() {
        starts.push((order.source.0, swapped.clone()));
    }
    let mut violations = Vec::new();
    for (start, to_write) in &starts {
        let mut ends = vec![(order.sink.0, to_write.clone(), false)];
        for flow in dependences.flow.iter().filter(|flow| flow.source == order.sink) {
            ends.push((flow.sink.0, to_write.apply_range(&flow.relation)?, true));
        }
        for (end, start_to_end, is_read) in ends {
            let relation = start_to_end.reverse();
            for part in times.not_before(end, *start, &relation, budget)? {
                let part =
                    if is_read && end == *start { without_identity(&part, budget)? } else { part };
                let message = || describe("overlaps with the live range", scop, order);
                violations.extend(violation_if_any(&part, message, budget)?);
            }
        }
    }
    Ok(violations)
}

fn scop_access_is_write(
    scop: &Scop,
    (statement, reference): (StatementId, loopwright_scop::ReferenceId),
) -> bool {
    let statement = &scop.statements[statement.0 as usize];
    let access = statement.accesses.iter().find(|access| access.reference == reference);
    access.is_some_and(|access| access.kind != loopwright_scop::AccessKind::Read)
}

fn without_identity(pairs: &Map, budget: &Budget) -> Result<Map> {
    pairs.subtract(&Map::identity(&pairs.space().domain()), budget)
}

/// The times of all statements under a flattened schedule.
pub(crate) struct Times {
    pub(crate) times: Vec<Option<Map>>,
    pub(crate) n_levels: usize,
    pub(crate) components: Components,
}

impl Times {
    /// Splits a schedule by statement.
    pub(crate) fn new(scop: &Scop, schedule: &UnionMap) -> Times {
        let has_name = |map: &&Map, name: &str| {
            map.space().input().and_then(|t| t.name()).is_some_and(|n| **n == *name)
        };
        let time = |name: &str| schedule.maps().iter().find(|map| has_name(map, name)).cloned();
        let times: Vec<Option<Map>> = scop.statements.iter().map(|s| time(&s.name)).collect();
        let n_levels = times.iter().flatten().map(|t| t.n(DimKind::Out)).max().unwrap_or(0);
        Times { times, n_levels, components: Components::default() }
    }

    /// One violation per executed statement without time.
    fn missing(&self, scop: &Scop) -> Vec<Violation> {
        let is_missing = |s: &&loopwright_scop::Statement| {
            self.times[s.id.0 as usize].is_none() && !s.is_kill && !s.domain.plain_is_empty()
        };
        let violation = |s: &loopwright_scop::Statement| Violation {
            message: format!("the schedule does not contain statement {}", s.name),
            example: None,
        };
        scop.statements.iter().filter(is_missing).map(violation).collect()
    }

    /// `{ x -> y }` for instances of two scheduled statements whose times compare so at one level.
    pub(crate) fn compared_at(
        &self,
        (first, second): (StatementId, StatementId),
        level: usize,
        comparison: Comparison,
        budget: &Budget,
    ) -> Result<Map> {
        let (first, second) = (first.0 as usize, second.0 as usize);
        let (Some(a), Some(b)) = (&self.times[first], &self.times[second]) else {
            let reason = "a statement is not scheduled".into();
            return Err(Error::Invalid { operation: "comparing times", reason });
        };
        self.components.at_level((first, a), (second, b), level, comparison, budget)
    }

    /// The pairs `first -> second` of `relation` that are not in strict order, in parts.
    ///
    /// Pairs with a kill statement that the schedule does not contain count as in order.
    pub(crate) fn not_before(
        &self,
        first: StatementId,
        second: StatementId,
        relation: &Map,
        budget: &Budget,
    ) -> Result<Vec<Map>> {
        let (Some(a), Some(b)) = (&self.times[first.0 as usize], &self.times[second.0 as usize])
        else {
            return Ok(Vec::new());
        };
        let mut wrong = Vec::new();
        let mut rest = relation.intersect_domain(&a.domain())?.intersect_range(&b.domain())?;
        for level in 0..self.n_levels {
            if is_soon_empty(&rest, budget)? {
                return Ok(wrong);
            }
            let fixed = |map: &Map| map.plain_get_val_if_fixed(DimKind::Out, level);
            match (fixed(a), fixed(b)) {
                (Some(x), Some(y)) if x == y => continue,
                (Some(x), Some(y)) if x < y => return Ok(wrong),
                (Some(_), Some(_)) => {
                    wrong.push(rest);
                    return Ok(wrong);
                }
                _ => {}
            }
            let (a, b) = ((first.0 as usize, a), (second.0 as usize, b));
            let compare = |sign| self.components.at_level(a, b, level, sign, budget);
            let greater = rest.intersect(&compare(Comparison::Greater)?)?;
            if !greater.is_empty(budget)? {
                wrong.push(greater);
            }
            rest = rest.intersect(&compare(Comparison::Equal)?)?;
        }
        wrong.push(rest);
        Ok(wrong)
    }
}

/// How the times of two instances compare at one level.
#[derive(Clone, Copy)]
pub(crate) enum Comparison {
    /// The first is later.
    Greater,
    /// Both are equal.
    Equal,
    /// The first is earlier.
    Less,
}

/// `{ x -> y : a(x)_level compares so with b(y)_level }`.
///
/// Only that component is composed, in as few pieces as it has: parts of a schedule that differ in
/// another component would be paired with each other otherwise.
pub(crate) fn at_level(
    a: &Map,
    b: &Map,
    level: usize,
    comparison: Comparison,
    budget: &Budget,
) -> Result<Map> {
    let (a, b) = (component(a, level, budget)?, component(b, level, budget)?);
    compared(&a, &b, comparison)
}

/// The same for single components.
pub(crate) fn compared(a: &Map, b: &Map, comparison: Comparison) -> Result<Map> {
    let (sign, constant, is_equality) = match comparison {
        Comparison::Greater => (1, -1, false),
        Comparison::Equal => (1, 0, true),
        Comparison::Less => (-1, -1, false),
    };
    let constraint = Constraint { is_equality, row: Row::from_i64s(&[constant, sign, -sign]) };
    let space = Space::map(&[], Tuple::anonymous(1), Tuple::anonymous(1));
    let compare = BasicMap::from_constraints(space, Vec::new(), vec![constraint]);
    a.apply_range(&Map::from_basic_map(compare))?.apply_range(&b.reverse())
}

/// Components of several times, each computed when it is first asked for.
#[derive(Default)]
pub(crate) struct Components(RefCell<BTreeMap<(usize, usize), Map>>);

impl Components {
    /// As [`at_level`], for the times with these numbers.
    pub(crate) fn at_level(
        &self,
        (a, time_of_a): (usize, &Map),
        (b, time_of_b): (usize, &Map),
        level: usize,
        comparison: Comparison,
        budget: &Budget,
    ) -> Result<Map> {
        let a = self.component(a, time_of_a, level, budget)?;
        let b = self.component(b, time_of_b, level, budget)?;
        compared(&a, &b, comparison)
    }

    fn component(&self, number: usize, time: &Map, level: usize, budget: &Budget) -> Result<Map> {
        if let Some(known) = self.0.borrow().get(&(number, level)) {
            return Ok(known.clone());
        }
        let found = component(time, level, budget)?;
        self.0.borrow_mut().insert((number, level), found.clone());
        Ok(found)
    }
}

/// Steps for merging the pieces of one relation: it saves work later, but no proof depends on it.
pub(crate) const MERGE_STEPS: u64 = 200_000;

/// From instances to one component of their times.
fn component(times: &Map, level: usize, budget: &Budget) -> Result<Map> {
    let further = times.n(DimKind::Out) - level - 1;
    let component =
        times.project_out(DimKind::Out, level + 1, further).project_out(DimKind::Out, 0, level);
    component.coalesce_up_to(MERGE_STEPS, budget)
}
