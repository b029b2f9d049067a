//! Updates in any order, against a simulation that runs them in many.
//!
//! Random programs overwrite, update and copy a few elements. The oracle finds the pairs of accesses
//! from the program's instances one by one, and runs the instances in other orders that respect
//! what is left: every value that is read, and what is in the arrays at the end, must be the same.
use loopwright_dataflow::{Dependence, Dependences, reassociated};
use loopwright_presburger::Budget;
use loopwright_scop::Scop;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const N: i64 = 4;
const ARRAYS: [&str; 2] = ["A", "B"];

/// The element `a*i + c` of an array.
#[derive(Clone, Copy, Debug)]
struct Subscript {
    array: usize,
    a: i64,
    c: i64,
}

/// An array and a subscript.
type Element = (usize, i64);

impl Subscript {
    fn at(self, i: i64) -> Element {
        (self.array, self.a * i + self.c)
    }

    fn text(self) -> String {
        format!("{} i + {}", self.a, self.c)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Operator {
    Assign,
    Add,
    Multiply,
    /// The lesser of the element and the value, by a condition.
    Least,
}

impl Operator {
    /// The body, from the texts of the target and the value.
    fn body(self, target: &str, value: &str) -> String {
        let text = |text: &str| format!("  - {{ text: \"{text}\" }}\n");
        let assignment =
            |operator: &str| format!("{target}{}{value}", text(&format!(" {operator} ")));
        match self {
            Operator::Assign => assignment("="),
            Operator::Add => assignment("+="),
            Operator::Multiply => assignment("*="),
            Operator::Least => {
                let (start, less, end) = (text("if ("), text(" < "), text(") "));
                format!("{start}{value}{less}{target}{end}{}", assignment("="))
            }
        }
    }
}

/// `target op= value`, where the value is an element or a number; in one of two loops over i that
/// run one after the other.
#[derive(Clone, Debug)]
struct Statement {
    target: Subscript,
    operator: Operator,
    value: Option<Subscript>,
    loop_number: i64,
}

impl Statement {
    fn is_update(&self) -> bool {
        let is_of_target = |value: Subscript| value.array == self.target.array;
        self.operator != Operator::Assign && !self.value.is_some_and(is_of_target)
    }

    fn is_sure(&self) -> bool {
        self.operator != Operator::Least
    }

    fn reads(&self) -> Vec<Subscript> {
        let target = (self.operator != Operator::Assign).then_some(self.target);
        target.into_iter().chain(self.value).collect()
    }

    fn text(&self, s: usize) -> String {
        let access = |kind, subscript: Subscript| {
            let (array, at) = (ARRAYS[subscript.array], subscript.text());
            format!(
                "  - {{ array: {array}, kind: {kind}, relation: \"{{ S{s}[i] -> {array}[{at}] : \
                 0 <= i < {N} }}\" }}\n"
            )
        };
        let element = |subscript: Subscript| {
            let (array, at) = (ARRAYS[subscript.array], subscript.text());
            format!(
                "  - {{ element: {array}, array: {array}, subscripts: [\"{{ S{s}[i] -> [({at})] \
                 }}\"] }}\n"
            )
        };
        let accesses: String = self.reads().into_iter().map(|read| access("read", read)).collect();
        let write = if self.is_sure() { "write" } else { "may-write" };
        let write = access(write, self.target);
        let value = self.value.map_or("  - { text: \"2\" }\n".to_string(), element);
        let body = self.operator.body(&element(self.target), &value);
        format!(
            "- name: S{s}\n  domain: \"{{ S{s}[i] : 0 <= i < {N} }}\"\n  line: 1\n  column: 1\n  \
             iterators: [ i ]\n  iterator_types: [ int ]\n  accesses:\n{accesses}{write}  \
             body:\n{body}"
        )
    }
}

#[derive(Clone, Debug)]
struct Program {
    statements: Vec<Statement>,
    live_out: [bool; 2],
}

/// A statement and a value of i.
type Instance = (usize, i64);
/// Two instances and the array on which they meet.
type Edge = (Instance, usize, Instance);

impl Program {
    fn scop(&self) -> Scop {
        let mut text = "context: \"{ : }\"\narrays:\n".to_string();
        for (array, live_out) in ARRAYS.iter().zip(self.live_out) {
            text += &format!(
                "- {{ name: {array}, tuple: {array}, type: int, kind: signed, \
                 extents: [\"{{ [(9)] }}\"], extent_texts: [\"9\"], live_out: {} }}\n",
                u8::from(live_out)
            );
        }
        text += "statements:\n";
        for (s, statement) in self.statements.iter().enumerate() {
            text += &statement.text(s);
        }
        let union = |part: &dyn Fn(usize) -> String| {
            let parts: Vec<String> = (0..self.statements.len()).map(part).collect();
            format!("{{ {} }}", parts.join("; "))
        };
        let domain = union(&|s| format!("S{s}[i] : 0 <= i < {N}"));
        let number = union(&|s| format!("S{s}[i] -> [({})]", self.statements[s].loop_number));
        let iterator = union(&|s| format!("S{s}[i] -> [(i)]"));
        let position = union(&|s| format!("S{s}[i] -> [({s})]"));
        text += &format!(
            "schedule: {{ domain: \"{domain}\", child: {{ schedule: \"[{number}, {iterator}, \
             {position}]\" }} }}\n"
        );
        Scop::parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
    }

    /// The instances in the order of the program.
    fn instances(&self) -> Vec<Instance> {
        let of_statement = |s| (0..N).map(move |i| (s, i));
        let mut all: Vec<Instance> = (0..self.statements.len()).flat_map(of_statement).collect();
        all.sort_by_key(|&(s, i)| (self.statements[s].loop_number, i, s));
        all
    }

    /// The flow from every write to every later read that no sure write but updates hides, and the
    /// part of it that leads from update to update by the same operator.
    fn expected(&self) -> (BTreeSet<Edge>, BTreeSet<Edge>) {
        let (mut flow, mut pairs) = (BTreeSet::new(), BTreeSet::new());
        for (position, &(t, j)) in self.instances().iter().enumerate() {
            let sink = &self.statements[t];
            for read in sink.reads() {
                for &(s, i) in self.instances()[..position].iter().rev() {
                    let source = &self.statements[s];
                    if source.target.at(i) != read.at(j) {
                        continue;
                    }
                    let edge = ((s, i), read.array, (t, j));
                    let is_pair = source.is_update()
                        && sink.is_update()
                        && read.array == sink.target.array
                        && source.operator == sink.operator;
                    if is_pair { &mut pairs } else { &mut flow }.insert(edge);
                    if !source.is_update() && source.is_sure() {
                        break;
                    }
                }
            }
        }
        (flow, pairs)
    }

    /// What every instance reads from elements other than the one it updates, and what is seen
    /// after the instances have run in this order.
    fn run(&self, order: &[Instance]) -> (BTreeMap<Instance, u64>, BTreeMap<Element, u64>) {
        let (mut read, mut memory) = (BTreeMap::new(), BTreeMap::new());
        let initial = |(array, x): Element| (100 * array as i64 + 3 * x + 50) as u64;
        for &(s, i) in order {
            let statement = &self.statements[s];
            let value = match statement.value {
                Some(subscript) => {
                    let element = subscript.at(i);
                    let value = memory.get(&element).copied().unwrap_or(initial(element));
                    read.insert((s, i), value);
                    value
                }
                None => 10 * s as u64 + 2 * i as u64 + 3,
            };
            let element = statement.target.at(i);
            let target = memory.entry(element).or_insert(initial(element));
            *target = match statement.operator {
                Operator::Assign => value,
                Operator::Add => target.wrapping_add(value),
                Operator::Multiply => target.wrapping_mul(value),
                Operator::Least => (*target).min(value),
            };
        }
        memory.retain(|(array, _), _| self.live_out[*array]);
        (read, memory)
    }
}

fn edges<'a>(dependences: impl IntoIterator<Item = &'a Dependence>) -> BTreeSet<Edge> {
    let mut edges = BTreeSet::new();
    for dependence in dependences {
        let points = dependence.relation.wrap().points(1000, &Budget::unlimited()).unwrap();
        let (source, sink) = (dependence.source.0.0 as usize, dependence.sink.0.0 as usize);
        for point in points {
            let i = |position: usize| point[position].to_i64().unwrap();
            edges.insert(((source, i(0)), dependence.array.0 as usize, (sink, i(1))));
        }
    }
    edges
}

/// An order of the instances that respects the edges; `choose` picks one of those that may be next.
fn reordered(
    instances: &[Instance],
    edges: &BTreeSet<Edge>,
    mut choose: impl FnMut(usize) -> usize,
) -> Vec<Instance> {
    let mut left = instances.to_vec();
    let mut order = Vec::new();
    while !left.is_empty() {
        let waits = |b: &Instance| edges.iter().any(|(a, _, sink)| sink == b && left.contains(a));
        let ready: Vec<Instance> = left.iter().copied().filter(|b| !waits(b)).collect();
        let next = ready[choose(ready.len())];
        left.retain(|&instance| instance != next);
        order.push(next);
    }
    order
}

fn check(program: &Program, seeds: &[u64]) {
    let (scop, budget) = (program.scop(), Budget::unlimited());
    let in_order = Dependences::of_scop(&scop, &budget).unwrap();
    let (flow, pairs) = program.expected();
    let Some(relaxed) = reassociated(&scop, &in_order, &budget).unwrap() else {
        assert_eq!(pairs, BTreeSet::new(), "nothing is relaxed in {program:?}");
        return;
    };
    assert_eq!(edges(relaxed.reassociated()), pairs, "the pairs of {program:?}");
    assert_eq!(edges(&relaxed.flow), flow, "the flow of {program:?}");
    let all = edges(relaxed.flow.iter().chain(&relaxed.order).chain(&relaxed.forced));
    let both: Vec<&Edge> = all.intersection(&pairs).filter(|edge| !flow.contains(edge)).collect();
    assert!(both.is_empty(), "{both:?} are free and ordered in {program:?}");

    let instances = program.instances();
    let expected = program.run(&instances);
    let mut orders = vec![reordered(&instances, &all, |n_ready| n_ready - 1)];
    for &seed in seeds {
        let mut state = seed;
        orders.push(reordered(&instances, &all, |n_ready| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % n_ready
        }));
    }
    for order in orders {
        assert_eq!(program.run(&order), expected, "{order:?} of {program:?}");
    }
}

fn subscript() -> impl Strategy<Value = Subscript> {
    (0..ARRAYS.len(), -1i64..=1, 0i64..=1).prop_map(|(array, a, c)| Subscript { array, a, c })
}

fn statement() -> impl Strategy<Value = Statement> {
    let operator = prop_oneof![
        1 => Just(Operator::Assign),
        2 => Just(Operator::Add),
        1 => Just(Operator::Multiply),
        1 => Just(Operator::Least),
    ];
    (subscript(), operator, prop::option::of(subscript()), 0i64..=1).prop_map(
        |(target, operator, value, loop_number)| Statement { target, operator, value, loop_number },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn other_orders_of_updates_give_the_same_values(
        statements in prop::collection::vec(statement(), 1..=4),
        live_out in any::<[bool; 2]>(),
        seeds in prop::collection::vec(any::<u64>(), 3),
    ) {
        check(&Program { statements, live_out }, &seeds);
    }
}

/// A sum over all instances, begun by an assignment and read by a copy: everything there is.
#[test]
fn a_sum_between_an_assignment_and_a_copy() {
    let sum = Subscript { array: 0, a: 0, c: 0 };
    let element = Subscript { array: 1, a: 1, c: 0 };
    let statement = |target, operator, value, loop_number| Statement {
        target,
        operator,
        value: Some(value),
        loop_number,
    };
    let program = Program {
        statements: vec![
            statement(sum, Operator::Assign, element, 0),
            statement(sum, Operator::Add, element, 1),
            statement(element, Operator::Assign, sum, 2),
        ],
        live_out: [false, true],
    };
    let (_, pairs) = program.expected();
    assert_eq!(pairs.len() as i64, N * (N - 1) / 2);
    check(&program, &[1, 2, 3]);
}
