//! A syntax tree executes each instance once and in schedule order.
//!
//! # Instances
//! From the loops and conditions around it every call gets the set of iterator values for which it
//! is reached and, from its arguments, a relation from iterator values to instances. The instances
//! of all calls of a statement together must be the statement's domain, no two calls may share an
//! instance, and no call may reach one instance twice.
//!
//! # Order
//! That of the calls is checked in `order_of_calls.rs`.
use crate::expression::{Place, unsupported};
use crate::facts::with_matched_iterators;
use crate::order_of_calls::Order;
use crate::verdict::{Proof, Violation, violation_if_any};
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{
    Budget, DimKind, Int, Map, Name, Result, Set, Space, Tuple, UnionMap, UnionSet,
};
use loopwright_schedule::{ScheduleTree, UnorderedLevel};

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
    let unordered = tree.unordered_levels()?;
    let domain = &tree.domain;
    let task = Task { schedule: &schedule, domain, unordered: &unordered, context };
    Proof::from_violations(find_violations(ast, &task, budget))
}

/// Checks that `ast` executes every instance in the domain of a flat schedule exactly once for
/// parameters in `context`, in lexicographic order of the times; except that instances reached by
/// one of `unordered` may come in any order at its level.
///
/// *Exactness* and *cost* as [`check_ast`].
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
    let task = Task { schedule, domain: &schedule.domain(), unordered, context };
    Proof::from_violations(find_violations(ast, &task, budget))
}

/// What is to be executed.
struct Task<'a> {
    schedule: &'a UnionMap,
    domain: &'a UnionSet,
    unordered: &'a [UnorderedLevel],
    context: &'a Set,
}

fn find_violations(ast: &AstNode, task: &Task<'_>, budget: &Budget) -> Result<Vec<Violation>> {
    let Task { schedule, domain, unordered, context } = task;
    let mut calls = Vec::new();
    let place = Place::outermost(context);
    let structure = read(ast, &place, schedule, &mut calls, budget)?;
    let domain = domain.intersect_params(context)?;
    let mut violations = check_instances(&calls, &domain, budget)?;
    let n_levels = calls.iter().map(|call| call.time.n(DimKind::Out)).max().unwrap_or(0);
    let order = Order { calls: &calls, n_levels, unordered, budget };
    order.check(&structure, 0, &mut violations)?;
    Ok(violations)
}

/// A call of a statement.
pub(crate) struct Call {
    /// The number of loops around it.
    pub(crate) depth: usize,
    /// From iterator values to what is executed, whether it is an instance or not.
    pub(crate) called: Map,
    /// From iterator values to the instance, for those that have a time.
    pub(crate) instances: Map,
    /// From iterator values to the time.
    pub(crate) time: Map,
}

/// The tree reduced to what order depends on; numbers are positions in the list of calls.
pub(crate) enum Structure {
    Call(usize),
    Block(Vec<Structure>),
    Loop { depth: usize, body: Box<Structure> },
}

impl Structure {
    pub(crate) fn calls(&self) -> Vec<usize> {
        match self {
            Structure::Call(call) => vec![*call],
            Structure::Block(children) => children.iter().flat_map(Structure::calls).collect(),
            Structure::Loop { body, .. } => body.calls(),
        }
    }

    /// The number of loops around this node (given by any loop or call in it).
    pub(crate) fn own_depth(&self, calls: &[Call]) -> usize {
        match self {
            Structure::Call(call) => calls[*call].depth,
            Structure::Loop { depth, .. } => *depth,
            Structure::Block(children) => {
                children.iter().map(|child| child.own_depth(calls)).min().unwrap_or(usize::MAX)
            }
        }
    }
}

fn read(
    node: &AstNode,
    place: &Place,
    schedule: &UnionMap,
    calls: &mut Vec<Call>,
    budget: &Budget,
) -> Result<Structure> {
    match node {
        AstNode::For(for_loop) => {
            let place = inside(for_loop, place, budget)?;
            let body = read(&for_loop.body, &place, schedule, calls, budget)?;
            Ok(Structure::Loop { depth: place.iterators.len() - 1, body: Box::new(body) })
        }
        AstNode::If { condition, then, otherwise } => {
            let holds = place.condition(condition, budget)?;
            let mut parts = vec![read(then, &place.restricted(&holds)?, schedule, calls, budget)?];
            if let Some(otherwise) = otherwise {
                let domain = place.domain.subtract(&holds, budget)?;
                let place = Place { domain, iterators: place.iterators.clone() };
                parts.push(read(otherwise, &place, schedule, calls, budget)?);
            }
            Ok(Structure::Block(parts))
        }
        AstNode::Block(children) => {
            let read_child = |child| read(child, place, schedule, calls, budget);
            Ok(Structure::Block(children.iter().map(read_child).collect::<Result<_>>()?))
        }
        AstNode::Mark { child, .. } => read(child, place, schedule, calls, budget),
        AstNode::User { statement, arguments, .. } => {
            calls.push(call(place, statement, arguments, schedule, budget)?);
            Ok(Structure::Call(calls.len() - 1))
        }
    }
}

/// The place inside a loop.
pub(crate) fn inside(for_loop: &ForLoop, place: &Place, budget: &Budget) -> Result<Place> {
    let free = place.inside_loop(&for_loop.iterator);
    let iterator = AstExpr::Id(for_loop.iterator.clone());
    let is = |relation: fn(Box<AstExpr>, Box<AstExpr>) -> AstExpr| {
        relation(Box::new(iterator.clone()), Box::new(for_loop.init.clone()))
    };
    if for_loop.degenerate {
        return free.restricted(&free.condition(&is(AstExpr::Eq), budget)?);
    }
    if !bounds_iterator(&for_loop.condition, &for_loop.iterator) {
        return Err(unsupported("a loop whose condition is not an upper bound on its iterator"));
    }
    let started = free.restricted(&free.condition(&is(AstExpr::Ge), budget)?)?;
    let running = started.restricted(&started.condition(&for_loop.condition, budget)?)?;
    if for_loop.increment == Int::from(1) {
        return Ok(running);
    }
    let distance = running.innermost().sub(&running.value(&for_loop.init, budget)?)?;
    running.restricted(&distance.modulo(&for_loop.increment).zero_set())
}

/// Whether a condition, once false, stays false for greater values of the iterator.
fn bounds_iterator(condition: &AstExpr, iterator: &Name) -> bool {
    match condition {
        AstExpr::And(list) => list.iter().all(|c| bounds_iterator(c, iterator)),
        AstExpr::Le(a, b) | AstExpr::Lt(a, b) => is_up_side(a, iterator) && !b.mentions(iterator),
        AstExpr::Ge(a, b) | AstExpr::Gt(a, b) => !a.mentions(iterator) && is_up_side(b, iterator),
        AstExpr::Int(_) => true,
        _ => !condition.mentions(iterator),
    }
}

/// Whether an expression is the iterator times a positive constant plus something without it.
fn is_up_side(expression: &AstExpr, iterator: &Name) -> bool {
    match expression {
        AstExpr::Id(_) => true,
        AstExpr::Add(a, b) => is_up_side(a, iterator) && is_up_side(b, iterator),
        AstExpr::Sub(a, b) => is_up_side(a, iterator) && !b.mentions(iterator),
        AstExpr::Mul(a, b) => match (&**a, &**b) {
            (AstExpr::Int(factor), e) | (e, AstExpr::Int(factor)) => {
                factor.is_positive() && is_up_side(e, iterator)
            }
            _ => !expression.mentions(iterator),
        },
        _ => !expression.mentions(iterator),
    }
}

pub(crate) fn call(
    place: &Place,
    statement: &Space,
    arguments: &[AstExpr],
    schedule: &UnionMap,
    budget: &Budget,
) -> Result<Call> {
    let tuple = statement.output().cloned().unwrap_or_else(|| Tuple::anonymous(0));
    if tuple.n_dims() != arguments.len() {
        return Err(unsupported("a call with a wrong number of arguments"));
    }
    let nothing = Tuple::anonymous(0);
    let empty_tuple = Set::universe(Space::set(statement.param_names(), nothing));
    let mut instances = Map::from_domain_and_range(&place.domain, &empty_tuple)?;
    for argument in arguments {
        instances = instances.flat_range_product(&place.value(argument, budget)?.to_map())?;
    }
    let with_tuple = |map: Map| {
        let space = map.space().with_tuples(map.space().input().cloned(), Some(tuple.clone()));
        map.with_space_tuples(&space)
    };
    let called = with_tuple(instances.clone())?;
    let has_statement = |map: &&Map| map.space().input() == called.space().output();
    let Some(schedule) = schedule.maps().iter().find(has_statement) else {
        return Err(unsupported("a call of a statement without schedule"));
    };
    let n_coordinates = arguments.len();
    let n_levels = schedule.n(DimKind::Out);
    let both = instances.flat_range_product(&called.apply_range(schedule)?)?;
    let both = with_matched_iterators(&both, n_coordinates, budget)?.remove_redundancies(budget)?;
    let instances = with_tuple(both.project_out(DimKind::Out, n_coordinates, n_levels))?;
    let time = both.project_out(DimKind::Out, 0, n_coordinates);
    Ok(Call { depth: place.iterators.len(), called, instances, time })
}

fn check_instances(calls: &[Call], domain: &UnionSet, budget: &Budget) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for set in domain.sets() {
        let name = set.space().output().and_then(|t| t.name()).map_or("", |n| n).to_string();
        let is_called = |call: &&Call| call.instances.space().output() == set.space().output();
        for call in calls.iter().filter(is_called) {
            let message = || format!("an instance of {name} outside its domain is executed");
            let outside = call.called.subtract_range(&set, budget)?;
            violations.extend(violation_if_any(&outside, message, budget)?);
        }
        let ranges: Vec<Set> =
            calls.iter().filter(is_called).map(|call| call.instances.range()).collect();
        let mut missing = set.clone();
        for (index, range) in ranges.iter().enumerate() {
            for other in &ranges[..index] {
                let message = || format!("an instance of {name} is executed by two calls");
                violations.extend(set_violation(&range.intersect(other)?, message, budget)?);
            }
            missing = missing.subtract(range, budget)?;
        }
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

fn set_violation(
    set: &Set,
    message: impl FnOnce() -> String,
    budget: &Budget,
) -> Result<Option<Violation>> {
    violation_if_any(set.as_map(), message, budget)
}
