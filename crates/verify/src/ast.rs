//! A syntax tree executes each instance once and in schedule order.
//!
//! # Instances
//! From the loops and conditions around it every call gets the set of iterator values for which it
//! is reached and, from its arguments, a relation from iterator values to instances. The instances
//! of all calls of a statement together must be the statement's domain, no two calls may share an
//! instance, and no call may reach one instance twice.
//!
//! # Order
//! The tree is walked from the root with a number `d`: for equal values of the outer iterators the
//! first `d` components of the schedule are known to be equal. At a loop, components that do not
//! depend on its iterator are passed, and if the next component strictly increases with the
//! iterator (and depends on nothing further inside), the loop is in order and the component is
//! passed too; otherwise all pairs of calls in different iterations are compared. In a block the
//! calls of every earlier child are compared with those of every later one, unless constants in
//! their times plainly increase from child to child.
use crate::expression::{Place, unsupported};
use crate::facts::with_matched_iterators;
use crate::verdict::{Proof, Violation, violation_if_any};
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{
    BasicMap, Budget, Constraint, DimKind, Int, Map, Name, Result, Row, Set, Space, Tuple,
    UnionMap, UnionSet,
};
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
struct Call {
    /// The number of loops around it.
    depth: usize,
    /// From iterator values to what is executed, whether it is an instance or not.
    called: Map,
    /// From iterator values to the instance, for those that have a time.
    instances: Map,
    /// From iterator values to the time.
    time: Map,
}

/// The tree reduced to what order depends on; numbers are positions in the list of calls.
enum Structure {
    Call(usize),
    Block(Vec<Structure>),
    Loop { depth: usize, body: Box<Structure> },
}

impl Structure {
    fn calls(&self) -> Vec<usize> {
        match self {
            Structure::Call(call) => vec![*call],
            Structure::Block(children) => children.iter().flat_map(Structure::calls).collect(),
            Structure::Loop { body, .. } => body.calls(),
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
fn inside(for_loop: &ForLoop, place: &Place, budget: &Budget) -> Result<Place> {
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

fn call(
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

struct Order<'a> {
    calls: &'a [Call],
    n_levels: usize,
    unordered: &'a [UnorderedLevel],
    budget: &'a Budget,
}

impl Order<'_> {
    fn check(&self, node: &Structure, level: usize, violations: &mut Vec<Violation>) -> Result<()> {
        match node {
            Structure::Call(_) => Ok(()),
            Structure::Block(children) => {
                let pairwise = !self.is_plainly_ascending(children, level);
                for (index, later) in children.iter().enumerate() {
                    for earlier in children[..index].iter().filter(|_| pairwise) {
                        self.check_pairs(earlier, later, level, None, violations)?;
                    }
                    self.check(later, level, violations)?;
                }
                Ok(())
            }
            Structure::Loop { depth, body } => {
                let calls = body.calls();
                let mut level = level;
                while level < self.n_levels
                    && !self.plainly_depends(&calls, *depth, level)
                    && self.is_constant(&calls, *depth, level)?
                {
                    level += 1;
                }
                if level < self.n_levels && self.is_increasing(&calls, *depth, level)? {
                    level += 1;
                } else if level < self.n_levels
                    && !self.iterations_plainly_ascend(&calls, *depth, level)
                {
                    self.check_pairs(body, body, level, Some(*depth), violations)?;
                }
                self.check(body, level, violations)
            }
        }
    }

    /// Whether the times of siblings, from `level` on, plainly are a common function of the
    /// parameters and the loops around them, and constants that increase from one to the next.
    fn is_plainly_ascending(&self, siblings: &[Structure], level: usize) -> bool {
        let around = siblings.iter().map(|node| node.own_depth(self.calls)).min().unwrap_or(0);
        let calls: Vec<Vec<usize>> = siblings.iter().map(Structure::calls).collect();
        let all: Vec<usize> = calls.iter().flatten().copied().collect();
        let mut constants: BTreeMap<usize, Vec<Int>> = BTreeMap::new();
        for level in level..self.n_levels {
            let Some((_, more)) = self.plain_values(&all, around, level) else { break };
            for (call, constant) in all.iter().zip(more) {
                constants.entry(*call).or_default().push(constant);
            }
        }
        let of_each = |calls: &Vec<usize>| {
            let values = || calls.iter().filter_map(|call| constants.get(call));
            values().min().zip(values().max())
        };
        let extremes: Option<Vec<_>> = calls.iter().map(of_each).collect();
        extremes.is_some_and(|all| all.windows(2).all(|pair| pair[0].1 < pair[1].0))
    }

    /// Whether the times at `level` plainly are a common function, which increases with iterator `n`
    /// by more than the constants differ that are added to it.
    fn iterations_plainly_ascend(&self, calls: &[usize], n: usize, level: usize) -> bool {
        let Some((function, constants)) = self.plain_values(calls, n + 1, level) else {
            return false;
        };
        let spread = constants.iter().max().zip(constants.iter().min()).map(|(a, b)| a - b);
        spread.zip(function.last()).is_some_and(|(spread, step)| spread < *step)
    }

    /// If the equalities, over parameters and the outer `n` iterators only, that give the time at
    /// `level` for single calls are alike but for their constants: the coefficients, and the
    /// constant of every call.
    fn plain_values(
        &self,
        calls: &[usize],
        n: usize,
        level: usize,
    ) -> Option<(Vec<Int>, Vec<Int>)> {
        let params = self.calls[*calls.first()?].time.space().param_names();
        let (mut function, mut constants) = (None, Vec::new());
        for call in calls {
            let time = &self.calls[*call].time;
            let [basic] = time.basic_maps() else { return None };
            let mut coefficients = plain_value(basic, n, level)?;
            constants.push(coefficients.remove(0));
            if time.space().param_names() != params
                || function.get_or_insert_with(|| coefficients.clone()) != &coefficients
            {
                return None;
            }
        }
        Some((function?, constants))
    }

    /// The equality, among those over parameters and the outer `n` iterators only, that gives the
    /// time at `level` for all calls alike; the row is over `[time | constant | params | outer]`.
    fn plain_value(&self, calls: &[usize], n: usize, level: usize) -> Option<Vec<Int>> {
        let mut common: Option<(Vec<Name>, Vec<Int>)> = None;
        for call in calls {
            let time = &self.calls[*call].time;
            let params = time.space().param_names().to_vec();
            for basic in time.basic_maps() {
                let value = plain_value(basic, n, level)?;
                match &common {
                    None => common = Some((params.clone(), value)),
                    Some(first) if first.0 == params && first.1 == value => {}
                    Some(_) => return None,
                }
            }
        }
        common.map(|(_, value)| value)
    }

    /// Whether the time at `level` plainly increases with iterator `n`.
    fn plainly_depends(&self, calls: &[usize], n: usize, level: usize) -> bool {
        let value = self.plain_value(calls, n + 1, level);
        value.is_some_and(|row| row.last().is_some_and(|c| !c.is_zero()))
    }

    /// From the outer `n` iterators to the time at `level`, for one call.
    fn component(&self, call: usize, n: usize, level: usize) -> Map {
        let call = &self.calls[call];
        let last = self.n_levels - level - 1;
        call.time
            .project_out(DimKind::Out, level + 1, last)
            .project_out(DimKind::Out, 0, level)
            .project_out(DimKind::In, n, call.depth - n)
    }

    /// Whether the time at `level` is a function of the outer `n` iterators, for all calls together.
    fn is_constant(&self, calls: &[usize], n: usize, level: usize) -> Result<bool> {
        let fixed =
            |call: &usize| self.calls[*call].time.plain_get_val_if_fixed(DimKind::Out, level);
        let first = calls.first().and_then(fixed);
        if first.is_some() && calls.iter().all(|call| fixed(call) == first) {
            return Ok(true);
        }
        if self.plain_value(calls, n, level).is_some() {
            return Ok(true);
        }
        self.merged(calls, n, level)?.is_single_valued(self.budget)
    }

    /// Whether the time at `level` strictly increases with iterator `n`, and depends on no further.
    fn is_increasing(&self, calls: &[usize], n: usize, level: usize) -> Result<bool> {
        if let Some(row) = self.plain_value(calls, n + 1, level) {
            return Ok(row.last().is_some_and(Int::is_positive));
        }
        let time = self.merged(calls, n + 1, level)?;
        let earlier_not_less =
            time.apply_range(&not_less())?.apply_range(&time.reverse())?.intersect(&iterates(n))?;
        Ok(earlier_not_less.is_empty(self.budget)? && time.is_single_valued(self.budget)?)
    }

    fn merged(&self, calls: &[usize], n: usize, level: usize) -> Result<Map> {
        let mut components = calls.iter().map(|call| self.component(*call, n, level));
        let Some(first) = components.next() else {
            return Err(unsupported("a loop without calls"));
        };
        let merged = components.try_fold(first, |a, b| a.union(&b))?;
        if merged.basic_maps().len() > 1 { merged.coalesce(self.budget) } else { Ok(merged) }
    }

    /// Compares all calls of `earlier` with those of `later` for equal outer iterators (those
    /// common to both, or in different iterations of the loop at `in_loop`).
    fn check_pairs(
        &self,
        earlier: &Structure,
        later: &Structure,
        level: usize,
        in_loop: Option<usize>,
        violations: &mut Vec<Violation>,
    ) -> Result<()> {
        let common = in_loop.unwrap_or_else(|| self.common_depth(earlier, later));
        for a in earlier.calls() {
            for b in later.calls() {
                if let Some(violation) = self.check_pair(a, b, level, common, in_loop.is_some())? {
                    violations.push(violation);
                }
            }
        }
        Ok(())
    }

    /// The number of loops around two siblings.
    fn common_depth(&self, earlier: &Structure, later: &Structure) -> usize {
        let depth = |node: &Structure| node.own_depth(self.calls);
        depth(earlier).min(depth(later))
    }

    /// Whether both calls run statements below one set node with this level.
    fn is_unordered(&self, level: usize, first: &Call, second: &Call) -> bool {
        let reaches = |unordered: &UnorderedLevel, call: &Call| {
            let space = call.instances.space();
            unordered.instances.sets().iter().any(|set| set.space().output() == space.output())
        };
        let at_level = self.unordered.iter().filter(|unordered| unordered.level == level);
        at_level.into_iter().any(|u| reaches(u, first) && reaches(u, second))
    }

    fn check_pair(
        &self,
        a: usize,
        b: usize,
        level: usize,
        common: usize,
        in_loop: bool,
    ) -> Result<Option<Violation>> {
        let (first, second) = (&self.calls[a], &self.calls[b]);
        let mut rest: Option<Map> = None;
        for level in level..self.n_levels {
            let fixed = |call: &Call| call.time.plain_get_val_if_fixed(DimKind::Out, level);
            match (fixed(first), fixed(second)) {
                (Some(x), Some(y)) if x < y => return Ok(None),
                (Some(x), Some(y)) if x == y => continue,
                (Some(_), Some(_)) if self.is_unordered(level, first, second) => return Ok(None),
                _ => {}
            }
            let pairs = match rest.take() {
                Some(rest) => rest,
                None => same_iterators(first, second, common, in_loop)?,
            };
            if pairs.is_empty(self.budget)? {
                return Ok(None);
            }
            let n = self.n_levels;
            let compare = |c| crate::schedule::at_level(&first.time, &second.time, level, n, c);
            use crate::schedule::Comparison::{Equal, Greater};
            let wrong = pairs.intersect(&compare(Greater)?)?;
            let message = || "two calls are executed against the order of the schedule".to_string();
            if let Some(violation) = violation_if_any(&wrong, message, self.budget)? {
                return Ok(Some(violation));
            }
            rest = Some(pairs.intersect(&compare(Equal)?)?);
        }
        Ok(None)
    }
}

/// The equality `time[level] = ...` over parameters and the outer `n` iterators, normalized to
/// coefficient 1 of the time: `[constant | params | outer]`.
fn plain_value(basic: &BasicMap, n: usize, level: usize) -> Option<Vec<Int>> {
    let (ins, outs) = (basic.offset(DimKind::In), basic.offset(DimKind::Out));
    let gives_value = |row: &&Row| {
        let coefficient = row.get(outs + level).abs();
        let mut others = (ins + n..row.len()).filter(|column| *column != outs + level);
        coefficient.is_one() && others.all(|column| row.is_zero_at(column))
    };
    let row = basic.equalities().iter().find(gives_value)?;
    let sign = -row.get(outs + level);
    Some((0..ins + n).map(|column| &sign * &row.get(column)).collect())
}

impl Structure {
    /// The number of loops around this node (given by any loop or call in it).
    fn own_depth(&self, calls: &[Call]) -> usize {
        match self {
            Structure::Call(call) => calls[*call].depth,
            Structure::Loop { depth, .. } => *depth,
            Structure::Block(children) => {
                children.iter().map(|child| child.own_depth(calls)).min().unwrap_or(usize::MAX)
            }
        }
    }
}

/// Pairs of iterator values that agree on the outer `common`, and are in increasing order of the
/// next if `in_loop`.
fn same_iterators(first: &Call, second: &Call, common: usize, in_loop: bool) -> Result<Map> {
    let (a, b) = (first.instances.domain(), second.instances.domain());
    let mut pairs = Map::from_domain_and_range(&a, &b)?;
    for dim in 0..common {
        pairs = pairs.equate(DimKind::In, dim, DimKind::Out, dim);
    }
    Ok(if in_loop { pairs.order_lt(DimKind::In, common, DimKind::Out, common) } else { pairs })
}

/// `{ [t] -> [u] : t >= u }`.
fn not_less() -> Map {
    let space = Space::map(&[], Tuple::anonymous(1), Tuple::anonymous(1));
    let row = Row::from_i64s(&[0, 1, -1]);
    let constraint = Constraint { is_equality: false, row };
    Map::from_basic_map(BasicMap::from_constraints(space, Vec::new(), vec![constraint]))
}

/// `{ [o, c] -> [o, d] : c < d }` with `n` outer iterators.
fn iterates(n: usize) -> Map {
    let space = Space::map(&[], Tuple::anonymous(n + 1), Tuple::anonymous(n + 1));
    let equal = |dim: usize, constant: i64| {
        let mut row = Row::zeros(1 + 2 * (n + 1));
        row.set(0, Int::from(constant));
        row.set(1 + dim, Int::from(-1));
        row.set(1 + n + 1 + dim, Int::from(1));
        row
    };
    let mut constraints: Vec<Constraint> =
        (0..n).map(|dim| Constraint { is_equality: true, row: equal(dim, 0) }).collect();
    constraints.push(Constraint { is_equality: false, row: equal(n, -1) });
    Map::from_basic_map(BasicMap::from_constraints(space, Vec::new(), constraints))
}
