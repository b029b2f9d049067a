//! Runs syntax trees on numbers and compares what they execute with a schedule.
#![allow(dead_code, unreachable_pub)]
use loopwright_astgen::{AstExpr, AstNode, Options, generate, generate_from_map};
use loopwright_presburger::{Budget, DimKind, Int, Set, UnionMap};
use loopwright_schedule::ScheduleTree;
use std::collections::{BTreeMap, HashMap};

/// A statement and the coordinates of an instance.
pub type Instance = (String, Vec<i64>);

/// Values of iterators and parameters.
type Environment = HashMap<String, i64>;

/// The instances that a tree executes, in order.
pub fn executed(node: &AstNode, environment: &mut Environment) -> Vec<Instance> {
    let mut trace = Vec::new();
    run(node, environment, &mut trace);
    trace
}

fn run(node: &AstNode, environment: &mut Environment, trace: &mut Vec<Instance>) {
    match node {
        AstNode::For(each) => {
            let mut value = evaluate(&each.init, environment);
            loop {
                environment.insert(each.iterator.to_string(), value);
                if !each.degenerate && evaluate(&each.condition, environment) == 0 {
                    break;
                }
                run(&each.body, environment, trace);
                assert!(trace.len() < 1_000_000, "a loop does not end");
                if each.degenerate {
                    break;
                }
                value += each.increment.to_i64().expect("small steps in tests");
            }
            environment.remove(&*each.iterator);
        }
        AstNode::If { condition, then, otherwise } => {
            if evaluate(condition, environment) != 0 {
                run(then, environment, trace);
            } else if let Some(otherwise) = otherwise {
                run(otherwise, environment, trace);
            }
        }
        AstNode::Block(children) => {
            children.iter().for_each(|child| run(child, environment, trace));
        }
        AstNode::Mark { child, .. } => run(child, environment, trace),
        AstNode::User { statement, arguments, .. } => {
            let name = statement.output().and_then(|tuple| tuple.name());
            let name = name.map_or(String::new(), |name| name.to_string());
            let values = arguments.iter().map(|a| evaluate(a, environment)).collect();
            trace.push((name, values));
        }
    }
}

/// The value of an expression as C computes it: divisions and remainders truncate.
pub fn evaluate(expression: &AstExpr, environment: &Environment) -> i64 {
    let value = |e: &AstExpr| evaluate(e, environment);
    match expression {
        AstExpr::Int(value) => value.to_i64().expect("small constants in tests"),
        AstExpr::Id(name) => {
            *environment.get(&**name).unwrap_or_else(|| panic!("{name} is not in scope"))
        }
        AstExpr::Neg(a) => -value(a),
        AstExpr::Add(a, b) => value(a) + value(b),
        AstExpr::Sub(a, b) => value(a) - value(b),
        AstExpr::Mul(a, b) => value(a) * value(b),
        AstExpr::DivExact(a, b) | AstExpr::DivNonneg(a, b) => value(a) / value(b),
        AstExpr::DivFloor(a, b) => value(a).div_euclid(value(b)),
        AstExpr::RemNonneg(a, b) | AstExpr::RemZero(a, b) => value(a) % value(b),
        AstExpr::Min(operands) => operands.iter().map(value).min().expect("not empty"),
        AstExpr::Max(operands) => operands.iter().map(value).max().expect("not empty"),
        AstExpr::Select(c, a, b) => value(if value(c) != 0 { a } else { b }),
        AstExpr::And(operands) => operands.iter().all(|e| value(e) != 0).into(),
        AstExpr::Or(operands) => operands.iter().any(|e| value(e) != 0).into(),
        AstExpr::Eq(a, b) => (value(a) == value(b)).into(),
        AstExpr::Le(a, b) => (value(a) <= value(b)).into(),
        AstExpr::Lt(a, b) => (value(a) < value(b)).into(),
        AstExpr::Ge(a, b) => (value(a) >= value(b)).into(),
        AstExpr::Gt(a, b) => (value(a) > value(b)).into(),
        AstExpr::Call(name, _) => panic!("a call of {name}"),
    }
}

/// The instances of a flat schedule with their times, at given values of its parameters.
fn scheduled(schedule: &UnionMap, environment: &Environment) -> BTreeMap<Instance, Vec<Vec<i64>>> {
    let mut result: BTreeMap<Instance, Vec<Vec<i64>>> = BTreeMap::new();
    let budget = Budget::unlimited();
    for map in schedule.maps() {
        let name = map.space().input().and_then(|tuple| tuple.name());
        let name = name.map_or(String::new(), |name| name.to_string());
        let n_in = map.n(DimKind::In);
        let mut set = map.wrap();
        let names = set.space().param_names().to_vec();
        for (position, name) in names.iter().enumerate() {
            let value = environment.get(&**name).copied().unwrap_or(0);
            set = set.fix(DimKind::Param, position, &Int::from(value));
        }
        let set = set.project_out(DimKind::Param, 0, names.len());
        for point in set.points(1_000_000, &budget).expect("bounded examples") {
            let point: Vec<i64> = point.iter().map(|v| v.to_i64().expect("small")).collect();
            let (instance, time) = point.split_at(n_in);
            result.entry((name.clone(), instance.to_vec())).or_default().push(time.to_vec());
        }
    }
    result
}

/// Checks that a tree executes the instances of a flat schedule, each once per time, in order.
#[track_caller]
pub fn check_trace(ast: &AstNode, schedule: &UnionMap, parameters: &[(&str, i64)], once: bool) {
    let mut environment: Environment =
        parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let expected = scheduled(schedule, &environment);
    let trace = executed(ast, &mut environment);
    let mut counts: BTreeMap<&Instance, usize> = BTreeMap::new();
    for instance in &trace {
        *counts.entry(instance).or_default() += 1;
    }
    for (instance, times) in &expected {
        let count = counts.get(instance).copied().unwrap_or(0);
        let wanted = if once { 1 } else { times.len() };
        assert_eq!(count, wanted, "{instance:?} runs {count} times with {parameters:?}\n{ast}");
    }
    for instance in counts.keys() {
        assert!(expected.contains_key(instance), "{instance:?} runs with {parameters:?}\n{ast}");
    }
    let mut last: Option<&Vec<i64>> = None;
    for instance in &trace {
        let times = &expected[instance];
        if let [time] = &times[..] {
            assert!(
                last.is_none_or(|last| last <= time),
                "order at {instance:?}, {parameters:?}\n{ast}"
            );
            last = Some(time);
        }
    }
}

/// All combinations of values in `range` for the parameters of a context's or schedule's names.
fn for_samples(
    names: &[String],
    range: std::ops::Range<i64>,
    mut visit: impl FnMut(&[(&str, i64)]),
) {
    let n = (range.end - range.start) as usize;
    for code in 0..n.pow(names.len() as u32) {
        let mut rest = code;
        let mut sample = Vec::new();
        for name in names {
            sample.push((name.as_str(), range.start + (rest % n) as i64));
            rest /= n;
        }
        visit(&sample);
    }
}

/// Whether parameter values are in a context.
fn admitted(context: &Set, sample: &[(&str, i64)]) -> bool {
    let mut set = context.clone();
    for (position, name) in context.space().param_names().iter().enumerate() {
        if let Some((_, value)) = sample.iter().find(|(n, _)| **n == **name) {
            set = set.fix(DimKind::Param, position, &Int::from(*value));
        }
    }
    !set.is_empty(&Budget::unlimited()).expect("no limit")
}

/// Generates code for a flat schedule and checks its traces for parameters in `range`.
#[track_caller]
pub fn check_map(
    schedule: &str,
    context: &str,
    settings: &str,
    range: std::ops::Range<i64>,
) -> String {
    check_map_with(&Options::STANDARD, schedule, context, settings, range)
}

/// [`check_map`] with options.
#[track_caller]
pub fn check_map_with(
    options: &Options,
    schedule: &str,
    context: &str,
    settings: &str,
    range: std::ops::Range<i64>,
) -> String {
    let schedule = UnionMap::parse(schedule).expect("a schedule");
    let context = Set::parse(context).expect("a context");
    let settings = UnionMap::parse(settings).expect("options");
    let budget = Budget::unlimited();
    let ast = generate_from_map(&schedule, &context, &settings, options, &budget).expect("code");
    check_all(&ast, &schedule, &context, range);
    ast.to_string()
}

/// Generates code for a schedule tree and checks its traces for parameters in `range`.
#[track_caller]
pub fn check_tree(tree: &str, context: &str, range: std::ops::Range<i64>) -> String {
    let tree = ScheduleTree::parse(tree).expect("a schedule tree");
    let context = Set::parse(context).expect("a context");
    let budget = Budget::unlimited();
    let ast = generate(&tree, &context, &Options::STANDARD, &budget).expect("code");
    check_all(&ast, &tree.flatten().expect("a flat schedule"), &context, range);
    ast.to_string()
}

#[track_caller]
fn check_all(ast: &AstNode, schedule: &UnionMap, context: &Set, range: std::ops::Range<i64>) {
    let mut names: Vec<String> = schedule.param_names().iter().map(|n| n.to_string()).collect();
    for name in context.space().param_names() {
        if !names.iter().any(|other| **other == **name) {
            names.push(name.to_string());
        }
    }
    for_samples(&names, range, |sample| {
        if admitted(context, sample) {
            check_trace(ast, schedule, sample, false);
        }
    });
}
