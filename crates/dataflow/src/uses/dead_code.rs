//! Which instances matter for what is seen after the region.
//!
//! An instance is live if a value that it writes may be seen after the region, or by a live
//! instance ("Scheduling for PPCG", section 3.4; the iteration to a fixed point with affine hulls
//! is described for it in Verdoolaege, "PENCIL support in pet and PPCG", 2015).
use crate::{Dependence, Dependences, LiveAccess};
use loopwright_presburger::{BasicSet, Budget, Constraint, Map, Result, Row, Set, UnionSet};
use loopwright_scop::{Access, Scop, Statement, StatementId};

/// The instances that matter for what is seen after the region, and perhaps some more.
///
/// *Method.* From the instances with live-out writes, backwards along the flow dependences. Per
/// statement the set so far is replaced by its affine hull (without strides, which would make loops
/// more complicated than what they leave out) within the domain whenever it grows, so that there
/// are at most as many rounds as all statements have dimensions.
/// *Exactness.* A superset: hulls, and dependences that were approximated, only add instances.
///
/// ```
/// use loopwright_dataflow::{Dependences, live_instances};
/// use loopwright_presburger::{Budget, Set};
/// use loopwright_scop::Scop;
/// // for (int i = 0; i < 9; i++) s = A[0];
/// let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/assignment.scop"));
/// let scop = Scop::parse(text)?;
/// let budget = Budget::steps(1_000_000);
/// let dependences = Dependences::of_scop(&scop, &budget)?;
/// let live = live_instances(&scop, &dependences, &budget)?;
/// assert!(live[0].1.is_equal(&Set::parse("{ S0[8] }")?, &budget)?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Cost.* A subset test per flow dependence, again until no affine hull grows: at most as often as all
/// statements have dimensions together.
///
/// # Errors
/// [`loopwright_presburger::Error::Exceeded`] if the budget runs out.
pub fn live_instances(
    scop: &Scop,
    dependences: &Dependences,
    budget: &Budget,
) -> Result<Vec<(StatementId, Set)>> {
    live_instances_among(scop, dependences, &|_| true, budget)
}

/// The same if only instances of some statements are candidates; those of the others matter.
fn live_instances_among(
    scop: &Scop,
    dependences: &Dependences,
    is_candidate: &dyn Fn(StatementId) -> bool,
    budget: &Budget,
) -> Result<Vec<(StatementId, Set)>> {
    let start = |s: &Statement| match is_candidate(s.id) || s.is_kill {
        true => Set::empty(s.domain.space().clone()),
        false => s.domain.clone(),
    };
    let mut live: Vec<Set> = scop.statements.iter().map(start).collect();
    for LiveAccess { statement, instances, .. } in &dependences.live_out {
        grow(scop, &mut live, *statement, instances, budget)?;
    }
    loop {
        let mut has_grown = false;
        for Dependence { source, sink, relation, .. } in &dependences.flow {
            let sources = relation.intersect_range(&live[sink.0.0 as usize])?.domain();
            has_grown |= grow(scop, &mut live, source.0, &sources, budget)?;
        }
        if !has_grown {
            break;
        }
    }
    Ok(scop.statements.iter().map(|s| s.id).zip(live).collect())
}

/// Adds instances to those of a statement; whether that are more than before.
fn grow(
    scop: &Scop,
    live: &mut [Set],
    statement: StatementId,
    more: &Set,
    budget: &Budget,
) -> Result<bool> {
    let so_far = &mut live[statement.0 as usize];
    if more.is_subset(so_far, budget)? {
        return Ok(false);
    }
    let hull = without_strides(&so_far.union(more)?.affine_hull(budget)?);
    *so_far = hull.intersect(&scop.statement(statement).domain)?;
    Ok(true)
}

/// The hull without the equalities about floors and remainders.
fn without_strides(hull: &BasicSet) -> Set {
    let n_plain = hull.n_columns() - hull.locals().len();
    let is_plain = |c: &Constraint| c.row.first_nonzero(n_plain..c.row.len()).is_none();
    let plain = hull.constraints().into_iter().filter(is_plain);
    let without_locals = plain.map(|c| Constraint {
        is_equality: c.is_equality,
        row: Row::from_ints((0..n_plain).map(|column| c.row.get(column)).collect()),
    });
    Set::from_basic_set(BasicSet::from_constraints(
        hull.space().clone(),
        Vec::new(),
        without_locals.collect(),
    ))
}

/// The scop without the instances that do not matter for what is seen after it. Kill statements
/// stay: they are not executed.
///
/// Statements do not read volatile variables and call only functions without effects (the front
/// end sees to that), so that leaving out an instance is not noticed.
///
/// ```
/// use loopwright_dataflow::{Dependences, without_dead_code};
/// use loopwright_presburger::{Budget, Set};
/// use loopwright_scop::Scop;
/// // for (int i = 0; i < 9; i++) s = A[0];
/// let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/assignment.scop"));
/// let scop = Scop::parse(text)?;
/// let budget = Budget::steps(1_000_000);
/// let dependences = Dependences::of_scop(&scop, &budget)?;
/// let scop = without_dead_code(&scop, &dependences, &budget)?;
/// assert!(scop.statements[0].domain.is_equal(&Set::parse("{ S0[8] }")?, &budget)?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Cost.* That of [`live_instances`], and an intersection per statement.
///
/// # Errors
/// Those of [`live_instances`].
pub fn without_dead_code(scop: &Scop, dependences: &Dependences, budget: &Budget) -> Result<Scop> {
    without_instances(scop, live_instances(scop, dependences, budget)?, budget)
}

/// The scop without the instances of some statements that do not matter for what is seen after it,
/// and for the other statements.
///
/// # Errors
/// Those of [`live_instances`].
pub fn without_dead_statements(
    scop: &Scop,
    dependences: &Dependences,
    candidates: &[StatementId],
    budget: &Budget,
) -> Result<Scop> {
    let is_candidate = |statement| candidates.contains(&statement);
    let live = live_instances_among(scop, dependences, &is_candidate, budget)?;
    without_instances(scop, live, budget)
}

fn without_instances(scop: &Scop, live: Vec<(StatementId, Set)>, budget: &Budget) -> Result<Scop> {
    let mut result = scop.clone();
    let mut domain = UnionSet::empty();
    for ((_, instances), statement) in live.into_iter().zip(&mut result.statements) {
        if !statement.is_kill {
            restrict(statement, &instances, budget)?;
        }
        domain = domain.union(&UnionSet::from_set(statement.domain.clone()))?;
    }
    result.schedule = scop.schedule.intersect_domain(&domain)?;
    Ok(result)
}

fn restrict(statement: &mut Statement, instances: &Set, budget: &Budget) -> Result<()> {
    if statement.domain.is_subset(instances, budget)? {
        return Ok(());
    }
    statement.domain = statement.domain.intersect(instances)?.coalesce(budget)?;
    let restricted =
        |access: &Access| -> Result<Map> { access.relation.intersect_domain(&statement.domain) };
    let relations = statement.accesses.iter().map(restricted).collect::<Result<Vec<_>>>()?;
    for (access, relation) in statement.accesses.iter_mut().zip(relations) {
        access.relation = relation;
    }
    Ok(())
}
