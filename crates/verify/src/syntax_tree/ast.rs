//! A syntax tree executes each instance once and in schedule order.
//!
//! # Instances
//! Those of all calls of a statement together must be the statement's domain, no two calls may share an
//! instance, and no call may reach one instance twice.
//!
//! # Order
//! That of the calls is checked in `order_of_calls.rs`.
use crate::order::schedule::Components;
use crate::syntax_tree::expression::unsupported;
use crate::syntax_tree::loops::{Call, Loops};
use crate::syntax_tree::order_of_calls::CallOrder;
use crate::verdict::{Proof, Violation, violation_if_any};
use loopwright_astgen::AstNode;
use loopwright_presburger::{Budget, DimKind, Result, Set, Tuple, UnionMap, UnionSet};
use loopwright_schedule::{ScheduleTree, UnorderedLevel};
use std::collections::BTreeMap;

/// Checks that `ast` executes every instance of the tree's domain exactly once for parameters in
/// `context`, in the order of the schedule tree (children of set nodes in any order).
///
/// *Exactness.* Exact for all parameter values in the context. *Cost.* Emptiness checks: a few per
/// call, per pair of calls of one statement, and per pair of calls in one block.
pub fn check_ast(
    ast: &AstNode,
    tree: &ScheduleTree,
    context: &Set,
    budget: &Budget,
) -> Result<Proof> {
    let schedule = tree.flatten()?;
    let read_and_check = || {
        let loops = Loops::read(ast, &schedule, context, budget)?;
        find_violations(&loops, &tree.domain, &tree.unordered_levels()?, context, budget)
    };
    Proof::from_violations(read_and_check())
}

/// [`check_ast`] for loops that have been read with the tree's times.
///
/// *Exactness* as [`check_ast`]. *Cost.* As there, without reading.
pub fn check_loops(
    loops: &Loops,
    tree: &ScheduleTree,
    context: &Set,
    budget: &Budget,
) -> Result<Proof> {
    let unordered = tree.unordered_levels()?;
    Proof::from_violations(find_violations(loops, &tree.domain, &unordered, context, budget))
}

/// Checks that `ast` executes every instance in the domain of a flat schedule exactly once for
/// parameters in `context`, in lexicographic order of the times; except that instances reached by
/// one of `unordered` may come in any order at its level.
///
/// *Exactness* and *cost* as [`check_ast`].
///
/// *Cost.* That of [`check_ast`].
///
/// # Errors
/// If an instance has several times.
pub fn check_ast_of_map(
    ast: &AstNode,
    schedule: &UnionMap,
    unordered: &[UnorderedLevel],
    context: &Set,
    budget: &Budget,
) -> Result<Proof> {
    if !schedule.is_single_valued(budget)? {
        return Err(unsupported("a schedule that gives instances several times"));
    }
    let read_and_check = || {
        let loops = Loops::read(ast, schedule, context, budget)?;
        find_violations(&loops, &schedule.domain(), unordered, context, budget)
    };
    Proof::from_violations(read_and_check())
}

pub(crate) fn find_violations(
    loops: &Loops,
    domain: &UnionSet,
    unordered: &[UnorderedLevel],
    context: &Set,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let Loops { calls, structure } = loops;
    let domain = domain.intersect_params(context)?;
    let mut violations = check_instances(calls, &domain, budget)?;
    let n_levels = calls.iter().map(|call| call.time.n(DimKind::Out)).max().unwrap_or(0);
    let components = Components::default();
    let order = CallOrder { calls, n_levels, unordered, budget, components };
    order.check(structure, 0, &mut violations)?;
    Ok(violations)
}

fn check_instances(calls: &[Call], domain: &UnionSet, budget: &Budget) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    let mut of_statement: BTreeMap<Option<&Tuple>, Vec<&Call>> = BTreeMap::new();
    for call in calls {
        of_statement.entry(call.instances.space().output()).or_default().push(call);
    }
    for set in domain.sets() {
        let own = of_statement.get(&set.space().output()).map_or(&[][..], Vec::as_slice);
        let name = set.space().output().and_then(|t| t.name()).map_or("", |n| n).to_string();
        for call in own {
            let message = || format!("an instance of {name} outside its domain is executed");
            let outside = call.called.subtract_range(&set, budget)?;
            violations.extend(violation_if_any(&outside, message, budget)?);
        }
        let ranges: Vec<Set> = own.iter().map(|call| call.instances.range()).collect();
        for (index, range) in ranges.iter().enumerate() {
            for other in &ranges[..index] {
                let message = || format!("an instance of {name} is executed by two calls");
                violations.extend(set_violation(&range.intersect(other)?, message, budget)?);
            }
        }
        let missing = not_executed(&set, own, &ranges, budget)?;
        let message = || format!("an instance of {name} is not executed");
        violations.extend(set_violation(&missing, message, budget)?);
    }
    for call in calls {
        if !call.instances.is_injective(budget)? {
            let message = "a call executes one instance several times".to_string();
            violations.push(Violation { message, example: None });
        }
    }
    Ok(violations)
}

/// The instances in a set that none of the calls executes; `ranges` are those that each of them does.
///
/// Those that are found by the schedule need no unknown iterators, and most often these are all: pairs of an
/// instance and the values of iterators that the schedule gives it are compared with those that the call
/// runs, before either is left out.
fn not_executed(set: &Set, calls: &[&Call], ranges: &[Set], budget: &Budget) -> Result<Set> {
    let mut missing = set.clone();
    for call in calls {
        if missing.plain_is_empty() {
            return Ok(missing);
        }
        let Some(iterators) = call.iterators_by_schedule()? else { continue };
        let iterators = iterators.intersect_domain(&missing)?;
        let others = iterators.subtract(&call.instances.reverse(), budget)?;
        // What has no time is missing, too.
        let timeless = missing.subtract(&iterators.domain(), budget)?;
        missing = timeless.union(&others.domain())?;
    }
    for range in ranges {
        missing = missing.subtract(range, budget)?;
    }
    Ok(missing)
}

fn set_violation(
    set: &Set,
    message: impl FnOnce() -> String,
    budget: &Budget,
) -> Result<Option<Violation>> {
    violation_if_any(set.as_map(), message, budget)
}
