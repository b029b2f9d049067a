//! Parallel loops carry no dependence.
//!
//! A loop is parallel if any two instances in different iterations (of the same execution of the
//! loop) are independent. For variables that each iteration has for itself only the values that
//! flow in and out matter: no flow may cross iterations, no read in the loop may see a value from
//! before the region, and no write in it may be needed after the region.
//!
//! A mark is a claim about the loop of the band directly below it. One that stands above anything else claims
//! something about loops that are not examined here, so it is refuted whatever it says; so is one that makes
//! something other than a scalar private, or, for a loop that threads share, an array that the region
//! declares.
//!
//! The rows of a pipelined loop ([`LoopKind::Pipelined`]) may depend on each other, in steps that do not
//! fall from one row to the next: a step waits for the same step of the row before, and so for all steps
//! up to it of all rows before.
//!
//! Where updates may run in any order ([`Dependences::reassociated`]) they may still not run at one
//! time, except those of a variable that the mark says is combined: then all that the loop does with
//! it has to be updates by that operator.
//!
//! Statements that are loops which end early may call threads of their own (`searches.rs`).
//!
//! Of a scalar whose last value the mark says is left ([`LoopReduction::is_last_value`]), iterations have
//! their own copies too, so no value may flow to an iteration but from itself. What leaves the loop is the
//! value of the last iteration that writes one: that of the loop as it is in sequence, which the order of the
//! schedule makes right.
use crate::order::parts::put_together;
use crate::order::schedule::{Comparison, Times, at_level};
use crate::order::searches::strange_searches;
use crate::verdict::{Proof, Violation, is_soon_empty, violation_if_any};
use loopwright_dataflow::{Dependence, Dependences, common_operator, reductions};
use loopwright_presburger::{Budget, DimKind, Map, Name, Result, UnionMap, UnionSet};
use loopwright_schedule::{Band, LoopKind, LoopMark, LoopReduction, Node, ScheduleTree};
use loopwright_scop::{Array, ArrayId, ElementKind, Scop, StatementId};

/// Checks that no loop below a [`LoopMark`] carries a dependence, given that each iteration
/// has its own copy of the variables that the mark names.
///
/// *Exactness.* Exact. *Cost.* Two emptiness checks per dependence and marked loop.
pub fn check_parallel_loops(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Proof> {
    let mut loops = Vec::new();
    collect(&tree.root, &tree.whole_spaces()?, None, &mut loops)?;
    let mut violations = misplaced(&tree.root);
    match strange_searches(scop, tree, budget) {
        Ok(found) => violations.extend(found),
        Err(error) => return Proof::from_violations(Err(error)),
    }
    for parallel in &loops {
        violations.extend(strange_private(scop, &parallel.mark));
        match strange_reductions(scop, parallel, budget) {
            Ok(found) => violations.extend(found),
            Err(error) => return Proof::from_violations(Err(error)),
        }
        let in_parts = match own_of_parts(scop, parallel) {
            Ok(arrays) => arrays,
            Err(violation) => {
                violations.push(violation);
                Vec::new()
            }
        };
        match carried(scop, dependences, parallel, &in_parts, budget) {
            Ok(found) => violations.extend(found),
            Err(error) => return Proof::from_violations(Err(error)),
        }
    }
    Proof::from_violations(Ok(violations))
}

/// A loop marked parallel.
struct ParallelLoop {
    /// What the mark says.
    mark: LoopMark,
    /// Their outer schedule with the value of the loop appended.
    times: UnionMap,
    /// That with the value of the next loop appended, which counts the steps of a pipeline.
    steps: Option<UnionMap>,
}

/// Collects the marked loops below `node`.
fn collect(
    node: &Node,
    reaching: &UnionSet,
    prefix: Option<&UnionMap>,
    loops: &mut Vec<ParallelLoop>,
) -> Result<()> {
    match node {
        Node::Leaf => Ok(()),
        Node::Mark(name, child) => {
            if let Some(mark) = LoopMark::parse(name)
                && let Some(band) = marked_band(mark.kind, child)
            {
                let first = band.schedule.slice(0..1).to_union_map()?;
                let times = extend(prefix, &first, reaching)?;
                let steps = match mark.kind {
                    LoopKind::Pipelined => {
                        let both = band.schedule.slice(0..2).to_union_map()?;
                        Some(extend(prefix, &both, reaching)?)
                    }
                    LoopKind::Parallel
                    | LoopKind::Vector
                    | LoopKind::Block(_)
                    | LoopKind::Thread(_) => None,
                };
                loops.push(ParallelLoop { mark, times, steps });
            }
            collect(child, reaching, prefix, loops)
        }
        Node::Band(band, child) => {
            let times = extend(prefix, &band.schedule.to_union_map()?, reaching)?;
            collect(child, reaching, Some(&times), loops)
        }
        Node::Filter(filter, child) => {
            let reaching = reaching.intersect(filter)?;
            let prefix = prefix.map(|p| p.intersect_domain(&reaching)).transpose()?;
            collect(child, &reaching, prefix.as_ref(), loops)
        }
        Node::Sequence(children) | Node::Set(children) => {
            children.iter().try_for_each(|child| collect(child, reaching, prefix, loops))
        }
        Node::Context(_, child) | Node::Guard(_, child) => collect(child, reaching, prefix, loops),
        // Marks below these are refuted.
        Node::Extension(..) | Node::Expansion { .. } => Ok(()),
    }
}

/// The band whose first loop, or first two, a mark above `node` speaks about.
fn marked_band(kind: LoopKind, node: &Node) -> Option<&Band> {
    let n_needed = if kind == LoopKind::Pipelined { 2 } else { 1 };
    match node {
        Node::Band(band, _) if band.n_members() >= n_needed => Some(band),
        _ => None,
    }
}

/// One violation for every mark in the tree that does not stand where it can be checked.
fn misplaced(root: &Node) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut refute = |name: &str, what: &str| {
        let message = format!("the mark `{name}` {what}, so it speaks about no single loop");
        violations.push(Violation { message, example: None });
    };
    root.for_each(&mut |node| match node {
        Node::Mark(name, child)
            if LoopMark::parse(name)
                .is_some_and(|mark| marked_band(mark.kind, child).is_none()) =>
        {
            refute(name, "does not stand directly above a band, or one with too few members");
        }
        Node::Extension(_, child) | Node::Expansion { child, .. } => {
            child.for_each(&mut |below| match below {
                Node::Mark(name, _) if LoopMark::parse(name).is_some() => {
                    refute(name, "stands below an extension or expansion");
                }
                _ => {}
            });
        }
        _ => {}
    });
    violations
}

/// Whether each iteration of a loop of a kind may have its own copy of a variable.
fn may_be_private(array: &Array, kind: LoopKind) -> bool {
    match kind {
        LoopKind::Parallel => array.may_be_private(),
        LoopKind::Block(_) | LoopKind::Thread(_) => array.may_be_of_a_thread(),
        _ => array.is_scalar(),
    }
}

/// One violation for every private name that is no scalar, or array that the region declares.
fn strange_private(scop: &Scop, mark: &LoopMark) -> Vec<Violation> {
    let is_possible = |name: &Name| {
        let mut named = scop.arrays.iter().filter(|array| array.tuple_name == *name);
        named.any(|array| may_be_private(array, mark.kind))
    };
    let strange = mark.private.iter().filter(|name| !is_possible(name));
    let violation = |name: &Name| Violation {
        message: format!(
            "`{name}` is no scalar, or array that the region declares, of which iterations of this loop may \
             have their own: it cannot be private"
        ),
        example: None,
    };
    strange.map(violation).collect()
}

/// One violation for every variable that a mark combines although it is no scalar (the loop of a
/// vector may also combine an array's elements), or the loop does something else with it.
fn strange_reductions(
    scop: &Scop,
    parallel: &ParallelLoop,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    if parallel.mark.reductions.is_empty() {
        return Ok(Vec::new());
    }
    let updates = reductions(scop, budget)?;
    let times = Times::new(scop, &parallel.times);
    let inside = scop.statements.iter().map(|statement| statement.id);
    let inside: Vec<StatementId> = inside.filter(|id| times.of(*id).is_some()).collect();
    let is_right = |reduction: &LoopReduction| {
        if reduction.is_in_parts() {
            // That is looked at as a whole.
            return true;
        }
        if reduction.is_last_value() {
            return parallel.mark.kind == LoopKind::Parallel && is_own(scop, &inside, reduction);
        }
        let ids = (0u32..).map(ArrayId).zip(&scop.arrays);
        let mut named = ids.filter(|(_, array)| array.tuple_name == reduction.variable);
        named.any(|(id, array)| {
            let operator = common_operator(scop, id, &inside, &updates);
            (array.is_scalar() || parallel.mark.kind == LoopKind::Vector)
                && operator.is_some_and(|operator| operator.clause() == &*reduction.operator)
        })
    };
    let strange = parallel.mark.reductions.iter().filter(|reduction| !is_right(reduction));
    let violation = |reduction: &LoopReduction| Violation {
        message: format!(
            "`{}` cannot be combined by `{}` over the iterations of a loop: it is no scalar, or the \
             loop does something else with it",
            reduction.variable, reduction.operator
        ),
        example: None,
    };
    Ok(strange.map(violation).collect())
}

/// Whether iterations may have copies of a variable that statements use: it is a number, and named wherever
/// it is used.
fn is_own(scop: &Scop, inside: &[StatementId], reduction: &LoopReduction) -> bool {
    let ids = (0u32..).map(ArrayId).zip(&scop.arrays);
    let mut named = ids.filter(|(_, array)| array.tuple_name == reduction.variable);
    named.any(|(id, array)| {
        array.is_scalar()
            && array.element_kind != ElementKind::Other
            && inside.iter().all(|s| !scop.statement(*s).body.hidden().contains(&id))
    })
}

fn extend(prefix: Option<&UnionMap>, band: &UnionMap, reaching: &UnionSet) -> Result<UnionMap> {
    let band = band.intersect_domain(reaching)?;
    match prefix {
        Some(prefix) => prefix.flat_range_product(&band),
        None => Ok(band),
    }
}

/// The arrays of which the parts of a loop put results together, if the mark says so.
fn own_of_parts(
    scop: &Scop,
    parallel: &ParallelLoop,
) -> std::result::Result<Vec<ArrayId>, Violation> {
    let times = Times::new(scop, &parallel.times);
    let inside = scop.statements.iter().filter(|statement| times.of(statement.id).is_some());
    put_together(scop, &parallel.mark, &inside.collect::<Vec<_>>())
}

fn carried(
    scop: &Scop,
    dependences: &Dependences,
    parallel: &ParallelLoop,
    in_parts: &[ArrayId],
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let times = Times::new(scop, &parallel.times);
    let is_private = |array: &Array| {
        may_be_private(array, parallel.mark.kind)
            && parallel.mark.private.contains(&array.tuple_name)
    };
    let ids = (0u32..).map(ArrayId).zip(&scop.arrays);
    let private: Vec<ArrayId> = ids.filter(|(_, a)| is_private(a)).map(|(id, _)| id).collect();
    let mut violations = Vec::new();
    let is_combined = |dependence: &&Dependence| {
        let name = &scop.arrays[dependence.array.0 as usize].tuple_name;
        parallel.mark.reductions.iter().any(|reduction| reduction.variable == *name)
    };
    let last = last_values(scop, &parallel.mark);
    let free = dependences.reassociated().iter().filter(|pair| !is_combined(pair));
    let is_in_parts = |d: &&Dependence| !in_parts.contains(&d.array);
    let forced = dependences.forced.iter().filter(|d| !last.contains(&d.array));
    let everywhere = dependences.flow.iter().chain(forced).chain(free).filter(is_in_parts);
    let is_shared = |d: &&Dependence| !private.contains(&d.array) && !last.contains(&d.array);
    let shared = dependences.order.iter().filter(is_shared).filter(is_in_parts);
    let steps = parallel.steps.as_ref().map(|steps| Times::new(scop, steps));
    for dependence in everywhere.chain(shared) {
        let parts = match &steps {
            None => times.carried_by_last(dependence, scop, budget)?,
            Some(steps) => steps.against_pipeline(dependence, scop, budget)?,
        };
        for part in parts {
            let message = || {
                let name = &scop.arrays[dependence.array.0 as usize].name;
                match steps {
                    None => {
                        let loops = match parallel.mark.kind.is_of_kernel() {
                            true => "a loop over blocks or threads",
                            false => "a loop marked parallel or vector",
                        };
                        format!("{loops} carries a dependence on `{name}`")
                    }
                    Some(_) => format!(
                        "a dependence on `{name}` leads to an earlier step of another row of a \
                         pipelined loop"
                    ),
                }
            };
            violations.extend(violation_if_any(&part, message, budget)?);
        }
    }
    for array in last {
        violations.extend(entering_last(scop, dependences, &times, array, budget)?);
    }
    violations.extend(live_private(scop, dependences, &times, &private, budget)?);
    violations.extend(escaping_private(scop, dependences, &times, &private, budget)?);
    Ok(violations)
}

/// The scalars whose last values a mark says are left.
fn last_values(scop: &Scop, mark: &LoopMark) -> Vec<ArrayId> {
    let last = mark.reductions.iter().filter(|reduction| reduction.is_last_value());
    let array = |reduction: &LoopReduction| {
        let mut ids = (0u32..).map(ArrayId).zip(&scop.arrays);
        let (id, _) = ids.find(|(_, array)| array.tuple_name == reduction.variable)?;
        Some(id)
    };
    last.filter_map(array).collect()
}

/// Flow of a scalar to an iteration of the loop that does not come from the same one.
fn entering_last(
    scop: &Scop,
    dependences: &Dependences,
    times: &Times,
    array: ArrayId,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let name = &scop.arrays[array.0 as usize].name;
    let message = || {
        format!(
            "an iteration needs a value of `{name}` from outside of it, of which only the last one is left"
        )
    };
    let mut violations = Vec::new();
    for live in dependences.live_in.iter().filter(|live| live.array == array) {
        let Some(time) = times.of(live.statement) else { continue };
        let inside = live.relation.intersect_domain(&time.domain())?;
        violations.extend(violation_if_any(&inside, message, budget)?);
    }
    let flow = dependences.flow.iter().chain(dependences.reassociated());
    for flow in flow.filter(|flow| flow.array == array) {
        let Some(sink) = times.of(flow.sink.0) else { continue };
        let relation = flow.relation.intersect_params(&scop.context)?;
        let to = relation.intersect_range(&sink.domain())?;
        for part in times.crossing(flow, &to, budget)? {
            // What leaves the loop has no sink in it.
            let entering = part.intersect_range(&sink.domain())?;
            violations.extend(violation_if_any(&entering, message, budget)?);
        }
    }
    Ok(violations)
}

/// Flow through private variables that leaves or enters an iteration of the loop.
pub(crate) fn escaping_private(
    scop: &Scop,
    dependences: &Dependences,
    times: &Times,
    private: &[ArrayId],
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    let flow = dependences.flow.iter().chain(dependences.reassociated());
    for flow in flow.filter(|flow| private.contains(&flow.array)) {
        let relation = flow.relation.intersect_params(&scop.context)?;
        for part in times.crossing(flow, &relation, budget)? {
            let message = || {
                let name = &scop.arrays[flow.array.0 as usize].name;
                format!("a value of `{name}`, private to a parallel loop, leaves its iteration")
            };
            violations.extend(violation_if_any(&part, message, budget)?);
        }
    }
    Ok(violations)
}

/// Private variables whose values come from before or are needed after the region.
pub(crate) fn live_private(
    scop: &Scop,
    dependences: &Dependences,
    times: &Times,
    private: &[ArrayId],
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for live in dependences.live_in.iter().chain(&dependences.live_out) {
        if !private.contains(&live.array) {
            continue;
        }
        let Some(time) = times.of(live.statement) else { continue };
        let inside = live.relation.intersect_domain(&time.domain())?;
        let message = || {
            let name = &scop.arrays[live.array.0 as usize].name;
            format!("`{name}` is private to a parallel loop but its value is needed outside")
        };
        violations.extend(violation_if_any(&inside, message, budget)?);
    }
    Ok(violations)
}

impl Times {
    /// The pairs of `relation` with one end at a time here and the other end at another time or at
    /// none.
    fn crossing(&self, flow: &Dependence, relation: &Map, budget: &Budget) -> Result<Vec<Map>> {
        let (source, sink) = (self.of(flow.source.0), self.of(flow.sink.0));
        let (a, b) = match (source, sink) {
            (None, None) => return Ok(Vec::new()),
            (Some(a), None) => return Ok(vec![relation.intersect_domain(&a.domain())?]),
            (None, Some(b)) => return Ok(vec![relation.intersect_range(&b.domain())?]),
            (Some(a), Some(b)) => (a, b),
        };
        let (inside_a, inside_b) = (a.domain(), b.domain());
        let leaving = relation.intersect_domain(&inside_a)?.subtract_range(&inside_b, budget)?;
        let entering = relation.intersect_range(&inside_b)?.subtract_domain(&inside_a, budget)?;
        let mut parts = vec![leaving, entering];
        let mut rest = relation.intersect_domain(&inside_a)?.intersect_range(&inside_b)?;
        let n_levels = a.n(DimKind::Out);
        for level in 0..n_levels {
            let at = |comparison| at_level(a, b, level, comparison, budget);
            parts.push(rest.intersect(&at(Comparison::Less)?)?);
            parts.push(rest.intersect(&at(Comparison::Greater)?)?);
            rest = rest.intersect(&at(Comparison::Equal)?)?;
        }
        Ok(parts)
    }

    /// The time of a statement, if it is scheduled.
    pub(crate) fn of(&self, statement: StatementId) -> Option<&Map> {
        self.times[statement.0 as usize].as_ref()
    }

    /// The pairs of a dependence that agree on all levels but the last, and differ there.
    fn carried_by_last(
        &self,
        dependence: &Dependence,
        scop: &Scop,
        budget: &Budget,
    ) -> Result<Vec<Map>> {
        let Some((a, b, same)) = self.equal_outside(dependence, 1, scop, budget)? else {
            return Ok(Vec::new());
        };
        let last = |comparison| at_level(a, b, a.n(DimKind::Out) - 1, comparison, budget);
        Ok(vec![
            same.intersect(&last(Comparison::Less)?)?,
            same.intersect(&last(Comparison::Greater)?)?,
        ])
    }

    /// The pairs of a dependence that agree on all levels but the last two, rows and steps, and whose later
    /// row is at an earlier step.
    fn against_pipeline(
        &self,
        dependence: &Dependence,
        scop: &Scop,
        budget: &Budget,
    ) -> Result<Vec<Map>> {
        let Some((a, b, same)) = self.equal_outside(dependence, 2, scop, budget)? else {
            return Ok(Vec::new());
        };
        let n_levels = a.n(DimKind::Out);
        let pairs = |row, step| -> Result<Map> {
            let rows = same.intersect(&at_level(a, b, n_levels - 2, row, budget)?)?;
            rows.intersect(&at_level(a, b, n_levels - 1, step, budget)?)
        };
        Ok(vec![
            pairs(Comparison::Less, Comparison::Greater)?,
            pairs(Comparison::Greater, Comparison::Less)?,
        ])
    }

    /// The times of both ends of a dependence, and its pairs that agree on all levels but the last
    /// `n_inside`; none if there are none.
    fn equal_outside(
        &self,
        dependence: &Dependence,
        n_inside: usize,
        scop: &Scop,
        budget: &Budget,
    ) -> Result<Option<(&Map, &Map, Map)>> {
        let (source, sink) = (dependence.source.0, dependence.sink.0);
        let (Some(a), Some(b)) = (self.of(source), self.of(sink)) else { return Ok(None) };
        let mut rest = dependence
            .relation
            .intersect_params(&scop.context)?
            .intersect_domain(&a.domain())?
            .intersect_range(&b.domain())?;
        for level in 0..a.n(DimKind::Out) - n_inside {
            if is_soon_empty(&rest, budget)? {
                return Ok(None);
            }
            rest = rest.intersect(&at_level(a, b, level, Comparison::Equal, budget)?)?;
        }
        Ok(Some((a, b, rest)))
    }
}
