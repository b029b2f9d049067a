//! A checker of schedules that shares no code with the scheduler: it enumerates the instances for
//! given parameter values, evaluates the tree for each, and compares pairs.
#![allow(dead_code, reason = "every test uses a part of it")]

pub(crate) mod exact;

use loopwright_presburger::{
    Aff, BasicMap, Budget, DimKind, Int, Set, Space, Tuple, UnionMap, UnionSet,
};
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scheduler::{Options, ScheduleConstraints, Scheduled, schedule};

/// The values of parameters, by name.
pub(crate) type Parameters<'a> = [(&'a str, i64)];

/// An instance: its tuple and its coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Instance {
    pub(crate) tuple: Tuple,
    pub(crate) point: Vec<i64>,
}

/// One level of the time of an instance.
#[derive(Clone, Debug, PartialEq)]
enum Level {
    Member { value: i64, permutable: bool, coincident: bool, first: bool },
    Child { index: i64, ordered: bool },
}

impl Level {
    fn value(&self) -> i64 {
        match self {
            Level::Member { value, .. } => *value,
            Level::Child { index, .. } => *index,
        }
    }
}

/// Schedules isl's text form; panics on errors.
pub(crate) fn schedule_text(text: &str, options: &Options) -> (ScheduleConstraints, Scheduled) {
    let constraints = ScheduleConstraints::parse(text).expect("the constraints parse");
    let scheduled =
        schedule(&constraints, options, &Budget::unlimited()).expect("a schedule is found");
    (constraints, scheduled)
}

/// Schedules, checks legality and flags for the given parameters and coordinates in `0..size`
/// (from -1 on), and returns the outline of the tree.
pub(crate) fn checked_outline(
    text: &str,
    options: &Options,
    parameters: &Parameters<'_>,
    size: i64,
) -> String {
    let (constraints, scheduled) = schedule_text(text, options);
    check(&constraints, &scheduled.tree, parameters, size);
    outline(&scheduled.tree)
}

/// Checks every pair of instances.
pub(crate) fn check(
    constraints: &ScheduleConstraints,
    tree: &ScheduleTree,
    parameters: &Parameters<'_>,
    size: i64,
) {
    let instances = instances(&constraints.domain, parameters, size);
    assert!(!instances.is_empty(), "no instance in the box");
    let times: Vec<Vec<Level>> =
        instances.iter().map(|i| time(&tree.root, i, parameters)).collect();
    for (a, from) in instances.iter().zip(&times) {
        for (b, to) in instances.iter().zip(&times) {
            if related(&constraints.validity, a, b, parameters) {
                check_validity(a, b, from, to);
            }
            if related(&constraints.coincidence, a, b, parameters) {
                check_coincidence(a, b, from, to);
            }
        }
    }
}

fn check_validity(a: &Instance, b: &Instance, from: &[Level], to: &[Level]) {
    let mut band_is_apart = false;
    for (x, y) in from.iter().zip(to) {
        let starts_band = !matches!(x, Level::Member { first: false, .. });
        if starts_band && band_is_apart {
            return;
        }
        match x {
            Level::Member { permutable, .. } => {
                assert!(
                    x.value() <= y.value() || (band_is_apart && !permutable),
                    "{a:?} -> {b:?} reversed by a member: {from:?} {to:?}"
                );
            }
            Level::Child { ordered, .. } => {
                assert!(
                    x.value() == y.value() || (*ordered && x.value() < y.value()),
                    "{a:?} -> {b:?} reversed or unordered: {from:?} {to:?}"
                );
                if x.value() < y.value() {
                    return;
                }
            }
        }
        band_is_apart |= x.value() < y.value();
    }
    assert!(band_is_apart, "{a:?} -> {b:?} at the same time: {from:?}");
}

fn check_coincidence(a: &Instance, b: &Instance, from: &[Level], to: &[Level]) {
    let mut band_is_apart = false;
    for (x, y) in from.iter().zip(to) {
        let starts_band = !matches!(x, Level::Member { first: false, .. });
        if starts_band && band_is_apart {
            return;
        }
        if let Level::Member { coincident: true, .. } = x {
            assert_eq!(x.value(), y.value(), "{a:?} -> {b:?} across a coincident member");
        }
        band_is_apart |= x.value() != y.value();
    }
}

/// The instances of a domain with coordinates in `-1..size`.
pub(crate) fn instances(
    domain: &UnionSet,
    parameters: &Parameters<'_>,
    size: i64,
) -> Vec<Instance> {
    let mut found = Vec::new();
    for set in domain.sets() {
        let n = set.space().n(DimKind::Out);
        let tuple = set.space().output().expect("a set has a tuple").clone();
        let mut point = vec![-1; n];
        loop {
            let basics = set.basic_sets();
            if basics.iter().any(|b| holds(b.as_basic_map(), &[], &point, parameters)) {
                found.push(Instance { tuple: tuple.clone(), point: point.clone() });
            }
            let Some(at) = (0..n).rev().find(|&i| point[i] + 1 < size) else { break };
            point[at] += 1;
            point[at + 1..].fill(-1);
        }
    }
    found
}

/// Whether a relation holds between two instances.
pub(crate) fn related(
    relation: &UnionMap,
    a: &Instance,
    b: &Instance,
    parameters: &Parameters<'_>,
) -> bool {
    relation.maps().iter().any(|map| {
        map.space().input() == Some(&a.tuple)
            && map.space().output() == Some(&b.tuple)
            && map.basic_maps().iter().any(|m| holds(m, &a.point, &b.point, parameters))
    })
}

fn parameter_values(space: &Space, parameters: &Parameters<'_>) -> Vec<i64> {
    let value =
        |name: &str| parameters.iter().find(|(n, _)| *n == name).expect("a known parameter").1;
    space.param_names().iter().map(|name| value(name)).collect()
}

fn holds(basic: &BasicMap, input: &[i64], output: &[i64], parameters: &Parameters<'_>) -> bool {
    assert!(basic.locals().is_empty(), "the checker knows no locals");
    if basic.plain_is_empty() {
        return false;
    }
    let mut point = vec![1];
    point.extend(parameter_values(basic.space(), parameters));
    point.extend(input.iter().chain(output));
    let value = |row: &loopwright_presburger::Row| {
        row.iter().zip(&point).map(|(c, x)| c.to_i64().expect("small") * x).sum::<i64>()
    };
    basic.equalities().iter().all(|row| value(row) == 0)
        && basic.inequalities().iter().all(|row| value(row) >= 0)
}

fn contains(set: &Set, instance: &Instance, parameters: &Parameters<'_>) -> bool {
    set.basic_sets().iter().any(|b| holds(b.as_basic_map(), &[], &instance.point, parameters))
}

fn evaluate(aff: &Aff, instance: &Instance, parameters: &Parameters<'_>) -> i64 {
    let mut point: Vec<Int> =
        parameter_values(aff.domain_space(), parameters).into_iter().map(Int::from).collect();
    point.extend(instance.point.iter().map(|&x| Int::from(x)));
    aff.eval(&point).to_int().and_then(|value| value.to_i64()).expect("an integer")
}

fn time(node: &Node, instance: &Instance, parameters: &Parameters<'_>) -> Vec<Level> {
    match node {
        Node::Band(band, child) => {
            let mut levels = Vec::new();
            for (i, schedule) in band.schedule.members().iter().enumerate() {
                let part = schedule
                    .parts()
                    .iter()
                    .find(|p| p.domain_space().output() == Some(&instance.tuple))
                    .expect("a band is total");
                let (_, function) = part
                    .pieces()
                    .iter()
                    .find(|(domain, _)| contains(domain, instance, parameters))
                    .expect("a band is total");
                let value = evaluate(function, instance, parameters);
                let (permutable, coincident) = (band.permutable, band.members[i].coincident);
                levels.push(Level::Member { value, permutable, coincident, first: i == 0 });
            }
            levels.extend(time(child, instance, parameters));
            levels
        }
        Node::Filter(_, child) => time(child, instance, parameters),
        Node::Sequence(children) | Node::Set(children) => {
            let has = |child: &&Node| {
                matches!(child, Node::Filter(filter, _)
                if filter.sets().iter().any(|s| s.space().output() == Some(&instance.tuple)
                    && contains(s, instance, parameters)))
            };
            let index = children.iter().position(|c| has(&c)).expect("filters cover everything");
            let ordered = matches!(node, Node::Sequence(_));
            let mut levels =
                vec![Level::Child { index: i64::try_from(index).expect("few"), ordered }];
            levels.extend(time(&children[index], instance, parameters));
            levels
        }
        Node::Leaf => Vec::new(),
        other => panic!("unexpected node {other:?}"),
    }
}

/// The tree in one line per node: `band permutable [1, 0]: S[i, j] -> (i, i + j)`.
pub(crate) fn outline(tree: &ScheduleTree) -> String {
    let mut text = String::new();
    outline_node(&tree.root, 0, &mut text);
    text.trim_end().to_string()
}

fn outline_node(node: &Node, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    match node {
        Node::Leaf => {}
        Node::Band(band, child) => {
            let kind = if band.permutable { "permutable" } else { "ordered" };
            let flags: Vec<&str> =
                band.members.iter().map(|m| if m.coincident { "1" } else { "0" }).collect();
            let members = band.schedule.members();
            let spaces = members[0].parts().iter().map(|part| part.domain_space().clone());
            let parts: Vec<String> = spaces
                .map(|space| {
                    let name = space.output().and_then(Tuple::name).expect("a name").to_string();
                    let affs = members.iter().map(|m| {
                        let part = m.part(&space).expect("a band is total");
                        expression(&part.pieces()[0].1)
                    });
                    format!("{name} -> ({})", affs.collect::<Vec<_>>().join(", "))
                })
                .collect();
            let (flags, parts) = (flags.join(""), parts.join("; "));
            text.push_str(&format!("{indent}{kind} {flags}: {parts}\n"));
            outline_node(child, depth + 1, text);
        }
        Node::Filter(filter, child) => {
            let names = filter
                .sets()
                .iter()
                .map(|set| set.space().output().and_then(Tuple::name).expect("a name").to_string())
                .collect::<Vec<_>>();
            text.push_str(&format!("{indent}- {}\n", names.join(" ")));
            outline_node(child, depth + 1, text);
        }
        Node::Sequence(children) | Node::Set(children) => {
            let ordered = matches!(node, Node::Sequence(_));
            text.push_str(&format!("{indent}{}\n", if ordered { "sequence" } else { "set" }));
            children.iter().for_each(|child| outline_node(child, depth, text));
        }
        other => panic!("unexpected node {other:?}"),
    }
}

/// An affine expression with the names of its dimensions.
fn expression(aff: &Aff) -> String {
    let space = aff.domain_space();
    let names = space.output().map(Tuple::dim_names).unwrap_or_default();
    let mut terms: Vec<(i64, String)> = Vec::new();
    let coefficient = |column: usize| aff.row().get(column).to_i64().expect("small");
    let n_params = space.n(DimKind::Param);
    for (i, name) in space.param_names().iter().enumerate() {
        terms.push((coefficient(1 + i), name.to_string()));
    }
    for (i, name) in names.iter().enumerate() {
        let name = name.as_ref().map_or_else(|| format!("i{i}"), |name| name.to_string());
        terms.push((coefficient(1 + n_params + i), name));
    }
    let mut parts: Vec<String> = Vec::new();
    for (factor, name) in terms.into_iter().filter(|(factor, _)| *factor != 0) {
        parts.push(match factor {
            1 => name,
            -1 => format!("-{name}"),
            factor => format!("{factor}{name}"),
        });
    }
    let constant = coefficient(0);
    if constant != 0 || parts.is_empty() {
        parts.push(constant.to_string());
    }
    parts.join("+").replace("+-", "-")
}
