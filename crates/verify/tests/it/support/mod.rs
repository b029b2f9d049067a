//! Regions from C text, and what their schedules do for small values of the parameters.
#![allow(dead_code)] // every test uses a part of this

pub(crate) mod planted;

use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, DimKind, Int, Map, Set, UnionMap};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{AccessKind, Scop};
use std::collections::BTreeMap;

/// More points than any test has.
const LIMIT: usize = 100_000;

pub(crate) fn budget() -> Budget {
    Budget::steps(100_000_000)
}

/// The region with the given lines, in a function with usual parameters, and its dependences.
pub(crate) fn region(lines: &str) -> (Scop, Dependences) {
    let text = format!(
        "void f(int n, double a[n], double b[n], double c[n][n], double x) {{\n  double t, own[99]; int k = 0;\n\
         #pragma scop\n{lines}\n#pragma endscop\n}}\n"
    );
    let regions = SourceFile::from_text("test.c", &text).extract();
    let mut regions = regions.unwrap_or_else(|d| panic!("{}", d[0]));
    let scop = regions.remove(0).scop;
    let dependences = Dependences::of_scop(&scop, &budget()).unwrap();
    assert!(dependences.is_exact);
    (scop, dependences)
}

/// The points of a relation when all parameters are `value`.
fn points(map: &Map, value: i64) -> Vec<Vec<i64>> {
    let n_params = map.n(DimKind::Param);
    let fixed = (0..n_params)
        .fold(map.clone(), |map, param| map.fix(DimKind::Param, param, &Int::from(value)));
    let points = fixed.points(LIMIT, &budget()).unwrap();
    let small = |point: &Vec<Int>| point[n_params..].iter().map(|v| v.to_i64().unwrap()).collect();
    points.iter().map(small).collect()
}

/// The points whose first coordinates are small: functions need not be bounded.
fn bounded_points(map: &Map, value: i64) -> Vec<Vec<i64>> {
    let small = |map: Map, at| {
        let bounded = map.lower_bound(DimKind::In, at, &Int::from(-9));
        bounded.upper_bound(DimKind::In, at, &Int::from(9))
    };
    points(&(0..map.n(DimKind::In)).fold(map.clone(), small), value)
}

/// The values of all parameters that are tried: those the context allows.
pub(crate) fn parameter_values(context: &Set) -> Vec<i64> {
    let allowed = |value: &i64| {
        let point = vec![Int::from(*value); context.n(DimKind::Param)];
        context.contains_point(&point, &budget()).unwrap()
    };
    (0..=5).filter(allowed).collect()
}

/// An instance: statement and coordinates.
pub(crate) type Instance = (String, Vec<i64>);

/// The time of every instance.
pub(crate) fn times(tree: &ScheduleTree, value: i64) -> BTreeMap<Instance, Vec<i64>> {
    let mut times = BTreeMap::new();
    for map in tree.flatten().unwrap().maps() {
        let name = map.space().input().and_then(|tuple| tuple.name().cloned()).unwrap();
        for point in points(map, value) {
            let (instance, time) = point.split_at(map.n(DimKind::In));
            let earlier = times.insert((name.to_string(), instance.to_vec()), time.to_vec());
            assert!(earlier.is_none(), "one time per instance");
        }
    }
    times
}

/// What a function of instances has for each of them.
pub(crate) fn instances(function: &UnionMap, value: i64) -> BTreeMap<Instance, Vec<i64>> {
    let mut all = BTreeMap::new();
    for map in function.maps() {
        let name = map.space().input().and_then(|tuple| tuple.name().cloned()).unwrap();
        for point in bounded_points(map, value) {
            let (instance, of) = point.split_at(map.n(DimKind::In));
            all.insert((name.to_string(), instance.to_vec()), of.to_vec());
        }
    }
    all
}

/// The pairs of all dependences that a schedule has to keep.
pub(crate) fn dependence_pairs(
    scop: &Scop,
    dependences: &Dependences,
    value: i64,
) -> Vec<(Instance, Instance)> {
    let Dependences { flow, order, forced, .. } = dependences;
    let mut pairs = Vec::new();
    for dependence in flow.iter().chain(order).chain(forced) {
        let relation = dependence.relation.intersect_params(&scop.context).unwrap();
        let name =
            |id: loopwright_scop::StatementId| scop.statements[id.0 as usize].name.to_string();
        for point in points(&relation, value) {
            let (source, sink) = point.split_at(relation.n(DimKind::In));
            pairs.push((
                (name(dependence.source.0), source.to_vec()),
                (name(dependence.sink.0), sink.to_vec()),
            ));
        }
    }
    pairs
}

/// One access of an instance.
struct Touch {
    position: usize,
    is_write: bool,
    element: (u32, Vec<i64>),
}

/// What the instances of a region touch, for one value of the parameters.
pub(crate) struct Memory {
    touches: BTreeMap<Instance, Vec<Touch>>,
    live_out: Vec<bool>,
}

/// Whose values the reads see and the memory has in the end.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Behaviour {
    reads: BTreeMap<(Instance, usize), Option<Instance>>,
    last: BTreeMap<(u32, Vec<i64>), Instance>,
}

impl Memory {
    pub(crate) fn new(scop: &Scop, value: i64) -> Memory {
        let mut touches: BTreeMap<Instance, Vec<Touch>> = BTreeMap::new();
        for statement in scop.statements.iter().filter(|statement| !statement.is_kill) {
            for (position, access) in statement.accesses.iter().enumerate() {
                for point in points(&access.relation, value) {
                    let (instance, element) = point.split_at(statement.domain.n_dims());
                    let instance = (statement.name.to_string(), instance.to_vec());
                    let is_write = access.kind != AccessKind::Read;
                    let element = (access.array.0, element.to_vec());
                    let touch = Touch { position, is_write, element };
                    touches.entry(instance).or_default().push(touch);
                }
            }
        }
        let live_out = scop.arrays.iter().map(|array| array.live_out).collect();
        Memory { touches, live_out }
    }

    /// Runs the instances in the order of their times; those at one time by name, or against it.
    fn run(&self, times: &BTreeMap<Instance, Vec<i64>>, backwards: bool) -> Behaviour {
        let mut order: Vec<&Instance> = self.touches.keys().collect();
        if backwards {
            order.reverse();
        }
        order.sort_by_key(|instance| &times[*instance]);
        let mut behaviour = Behaviour { reads: BTreeMap::new(), last: BTreeMap::new() };
        for instance in order {
            let (writes, reads): (Vec<_>, Vec<_>) =
                self.touches[instance].iter().partition(|touch| touch.is_write);
            for read in reads {
                let source = behaviour.last.get(&read.element).cloned();
                behaviour.reads.insert((instance.clone(), read.position), source);
            }
            for write in writes {
                behaviour.last.insert(write.element.clone(), instance.clone());
            }
        }
        behaviour.last.retain(|(array, _), _| self.live_out[*array as usize]);
        behaviour
    }

    /// Whether both schedules do the same, whatever the order of instances at one time.
    pub(crate) fn same(&self, first: &ScheduleTree, second: &ScheduleTree, value: i64) -> bool {
        let (first, second) = (times(first, value), times(second, value));
        let wanted = self.run(&first, false);
        [false, true].into_iter().all(|backwards| self.run(&second, backwards) == wanted)
    }
}
