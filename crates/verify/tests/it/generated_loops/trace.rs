//! Runs syntax trees on numbers and compares what they execute with a schedule.
#![allow(dead_code, unreachable_pub)]
use loopwright_astgen::{AstNode, Options, generate, generate_from_map};
use loopwright_presburger::{Budget, DimKind, Int, Set, UnionMap};
use loopwright_schedule::{ScheduleTree, UnorderedLevel};
use loopwright_verify::{Instance, Proof, Values, check_ast_of_map, execute};
use std::collections::BTreeMap;

/// The instances of a flat schedule with their times, at given values of its parameters.
fn scheduled(schedule: &UnionMap, environment: &Values) -> BTreeMap<Instance, Vec<Vec<i64>>> {
    let mut result: BTreeMap<Instance, Vec<Vec<i64>>> = BTreeMap::new();
    let budget = Budget::unlimited();
    for map in schedule.maps() {
        let name = map.space().input().and_then(|tuple| tuple.name());
        let name = name.map_or(String::new(), |name| name.to_string());
        let n_in = map.n(DimKind::In);
        let mut set = map.wrap();
        let names = set.space().param_names().to_vec();
        for (position, name) in names.iter().enumerate() {
            let value = environment.get(name).copied().unwrap_or(0);
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
    let environment: Values =
        parameters.iter().map(|(name, value)| ((*name).into(), *value)).collect();
    let expected = scheduled(schedule, &environment);
    let trace = execute(ast, &environment, 1_000_000).expect("the code has an end");
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
    check_proof(&ast, &schedule, &[], &context);
    ast.to_string()
}

/// Checks that a tree executes the instances of a flat schedule in order, on samples and by proof.
#[track_caller]
pub fn check_code(ast: &AstNode, schedule: &UnionMap, context: &Set, range: std::ops::Range<i64>) {
    check_all(ast, schedule, context, range);
    check_proof(ast, schedule, &[], context);
}

/// Checks that a tree is not refuted by the proof that it follows a schedule.
#[track_caller]
fn check_proof(ast: &AstNode, schedule: &UnionMap, unordered: &[UnorderedLevel], context: &Set) {
    let budget = Budget::steps(20_000_000);
    let context = context.params();
    if let Ok(Proof::Refuted(violations)) =
        check_ast_of_map(ast, schedule, unordered, &context, &budget)
    {
        panic!("{}\n{ast}", violations[0]);
    }
}

/// Generates code for a schedule tree and checks its traces for parameters in `range`.
#[track_caller]
pub fn check_tree(tree: &str, context: &str, range: std::ops::Range<i64>) -> String {
    check_tree_with(&Options::STANDARD, tree, context, range)
}

/// [`check_tree`] with options.
#[track_caller]
pub fn check_tree_with(
    options: &Options,
    tree: &str,
    context: &str,
    range: std::ops::Range<i64>,
) -> String {
    let tree = ScheduleTree::parse(tree).expect("a schedule tree");
    let context = Set::parse(context).expect("a context");
    let budget = Budget::unlimited();
    let ast = generate(&tree, &context, options, &budget).expect("code");
    let schedule = tree.flatten().expect("a flat schedule");
    check_all(&ast, &schedule, &context, range);
    check_proof(&ast, &schedule, &tree.unordered_levels().expect("set nodes"), &context);
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
