//! Dependences between given accesses, against the definition on every single access.
//!
//! Random statements in small boxes touch random elements, several at once among them, in random
//! orders: times that need not be different, and trees of sequences, sets and bands. The oracle
//! compares instances by the generated numbers and shares no code with the analysis.
use loopwright_dataflow::{AccessFlow, AccessInformation};
use loopwright_presburger::{Budget, UnionMap};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeSet;

const NAMES: [&str; 3] = ["S", "T", "U"];
const ARRAYS: [&str; 2] = ["a", "b"];
const SIZE: i64 = 3;

/// `a*i + b*j + c`.
#[derive(Clone, Copy, Debug)]
struct Form([i64; 3]);

impl Form {
    fn at(self, [i, j]: [i64; 2]) -> i64 {
        self.0[0] * i + self.0[1] * j + self.0[2]
    }

    fn text(self) -> String {
        format!("{}i + {}j + {}", self.0[0], self.0[1], self.0[2])
    }
}

/// Statement `s` touches `width` elements of an array from `form` on where `(i + j) mod 2` is not
/// `hole`.
#[derive(Clone, Debug)]
struct Access {
    statement: usize,
    array: usize,
    form: Form,
    width: i64,
    hole: i64,
}

#[derive(Clone, Debug)]
enum Tree {
    Leaf,
    Band(Vec<Form>, Box<Tree>),
    /// One child per statement.
    Children {
        ordered: bool,
        order: Vec<usize>,
        children: Vec<Tree>,
    },
}

#[derive(Clone, Debug)]
struct Problem {
    sink: Vec<Access>,
    must: Vec<Access>,
    may: Vec<Access>,
    kill: Vec<Access>,
    tree: Tree,
    as_map: bool,
}

type Instance = (usize, [i64; 2]);
type Element = (usize, i64);
type Pairs = BTreeSet<(Instance, Element)>;

fn points() -> impl Iterator<Item = [i64; 2]> {
    (0..SIZE).flat_map(|i| (0..SIZE).map(move |j| [i, j]))
}

impl Access {
    fn pairs(&self) -> Pairs {
        let touched = |p: [i64; 2]| (0..self.width).map(move |k| self.form.at(p) + k);
        let here = points().filter(|[i, j]| (i + j) % 2 != self.hole);
        here.flat_map(|p| touched(p).map(move |x| ((self.statement, p), (self.array, x)))).collect()
    }

    fn text(&self) -> String {
        let (s, a, e) = (NAMES[self.statement], ARRAYS[self.array], self.form.text());
        let (width, hole) = (self.width, self.hole);
        format!(
            "{s}[i, j] -> {a}[x] : 0 <= i < {SIZE} and 0 <= j < {SIZE} and (i + j) mod 2 != {hole} \
             and {e} <= x < {e} + {width}"
        )
    }
}

/// How `a` and `b` are ordered; none if they are not.
fn compare(tree: &Tree, a: Instance, b: Instance) -> Option<Ordering> {
    match tree {
        Tree::Leaf => None,
        Tree::Band(members, child) => {
            let times = |x: Instance| members.iter().map(|m| m.at(x.1)).collect::<Vec<_>>();
            match times(a).cmp(&times(b)) {
                Ordering::Equal => compare(child, a, b),
                other => Some(other),
            }
        }
        Tree::Children { ordered, order, children } => {
            let position = |x: Instance| order.iter().position(|&s| s == x.0);
            match position(a).cmp(&position(b)) {
                Ordering::Equal => compare(&children[a.0], a, b),
                other => ordered.then_some(other),
            }
        }
    }
}

/// The tree over the statements, in isl's flow style.
fn tree_text(tree: &Tree, statements: &[usize]) -> String {
    let union = |text: &dyn Fn(&str) -> String| {
        let parts: Vec<String> = statements.iter().map(|&s| text(NAMES[s])).collect();
        format!("{{ {} }}", parts.join("; "))
    };
    match tree {
        Tree::Leaf => String::new(),
        Tree::Band(members, child) => {
            let member = |m: &Form| union(&|s: &str| format!("{s}[i, j] -> [({})]", m.text()));
            let members: Vec<String> = members.iter().map(member).collect();
            format!(
                ", child: {{ schedule: \"[{}]\"{} }}",
                members.join(", "),
                tree_text(child, statements)
            )
        }
        Tree::Children { ordered, order, children } => {
            let child = |&s: &usize| {
                let below = tree_text(&children[s], &[s]);
                format!("{{ filter: \"{{ {}[i, j] }}\"{below} }}", NAMES[s])
            };
            let here = order.iter().filter(|s| statements.contains(s));
            let children: Vec<String> = here.map(child).collect();
            let kind = if *ordered { "sequence" } else { "set" };
            format!(", child: {{ {kind}: [ {} ] }}", children.join(", "))
        }
    }
}

impl Problem {
    fn text(&self) -> String {
        let relation = |key: &str, list: &[Access]| {
            let parts: Vec<String> = list.iter().map(Access::text).collect();
            format!("{key}: \"{{ {} }}\"\n", parts.join("; "))
        };
        let all: Vec<usize> = (0..NAMES.len()).collect();
        let schedule = match &self.tree {
            Tree::Band(members, _) if self.as_map => {
                let times: Vec<String> = members.iter().map(|m| m.text()).collect();
                let map = |s: &&str| format!("{s}[i, j] -> [{}]", times.join(", "));
                let maps: Vec<String> = NAMES.iter().map(map).collect();
                format!("schedule_map: \"{{ {} }}\"\n", maps.join("; "))
            }
            tree => {
                let domain: Vec<String> = NAMES
                    .iter()
                    .map(|s| format!("{s}[i, j] : 0 <= i < {SIZE} and 0 <= j < {SIZE}"))
                    .collect();
                let below = tree_text(tree, &all);
                format!("schedule: {{ domain: \"{{ {} }}\"{below} }}\n", domain.join("; "))
            }
        };
        relation("sink", &self.sink)
            + &relation("must_source", &self.must)
            + &relation("may_source", &self.may)
            + &relation("kill", &self.kill)
            + &schedule
    }

    fn before(&self, a: Instance, b: Instance) -> bool {
        let tree = match &self.tree {
            Tree::Band(members, _) if self.as_map => {
                &Tree::Band(members.clone(), Box::new(Tree::Leaf))
            }
            tree => tree,
        };
        compare(tree, a, b) == Some(Ordering::Less)
    }

    /// The four relations from their definitions.
    fn expected(&self) -> [Vec<String>; 4] {
        let pairs = |list: &[Access]| list.iter().flat_map(Access::pairs).collect::<Pairs>();
        let (must, kill) = (pairs(&self.must), pairs(&self.kill));
        let sources: Pairs = must.union(&pairs(&self.may)).copied().collect();
        let cuts: Pairs = must.union(&kill).copied().collect();
        let mut relations: [Vec<String>; 4] = Default::default();
        for (k, element) in pairs(&self.sink) {
            let earlier = |from: &Pairs| -> Vec<Instance> {
                let here = from.iter().filter(|(y, e)| *e == element && self.before(*y, k));
                here.map(|(y, _)| *y).collect()
            };
            let (before, cut) = (earlier(&sources), earlier(&cuts));
            let hidden = |y: Instance| cut.iter().any(|&c| self.before(y, c));
            let last: Vec<Instance> = before.iter().copied().filter(|&y| !hidden(y)).collect();
            let killed_later = |y| earlier(&kill).iter().any(|&c| c != y && !self.before(c, y));
            for &y in &last {
                let dependence = format!("{} -> [{}]", instance(y), access(k, element));
                if last.len() == 1 && must.contains(&(y, element)) && !killed_later(y) {
                    relations[0].push(dependence.clone());
                }
                relations[1].push(dependence);
            }
            if before.is_empty() && cut.is_empty() {
                relations[2].push(access(k, element));
            }
            if cut.is_empty() {
                relations[3].push(access(k, element));
            }
        }
        relations
    }
}

fn instance((s, [i, j]): Instance) -> String {
    format!("{}[{i}, {j}]", NAMES[s])
}

fn access(k: Instance, (array, x): Element) -> String {
    format!("{} -> {}[{x}]", instance(k), ARRAYS[array])
}

fn assert_equal(found: &UnionMap, expected: &[String], what: &str, text: &str) {
    let expected = UnionMap::parse(&format!("{{ {} }}", expected.join("; "))).unwrap();
    let is_equal = found.is_equal(&expected, &Budget::unlimited()).unwrap();
    assert!(is_equal, "{what} is {found}, not {expected}, of\n{text}");
}

fn check(problem: &Problem) {
    let text = problem.text();
    let information = AccessInformation::parse(&text).unwrap();
    let again = AccessInformation::parse(&information.to_string()).unwrap();
    let flow: AccessFlow = again.compute_flow(&Budget::unlimited()).unwrap();
    let [must, may, must_no, may_no] = problem.expected();
    assert_equal(&flow.full_must_dependence, &must, "must_dependence", &text);
    assert_equal(&flow.full_may_dependence, &may, "may_dependence", &text);
    assert_equal(&flow.must_no_source, &must_no, "must_no_source", &text);
    assert_equal(&flow.may_no_source, &may_no, "may_no_source", &text);
}

fn form() -> impl Strategy<Value = Form> {
    (-1i64..=2, -1i64..=1, 0i64..=2).prop_map(|(a, b, c)| Form([a, b, c]))
}

fn accesses(most: usize) -> impl Strategy<Value = Vec<Access>> {
    let access = (0..NAMES.len(), 0..ARRAYS.len(), form(), 1i64..=2, 0i64..=2).prop_map(
        |(statement, array, form, width, hole)| Access { statement, array, form, width, hole },
    );
    prop::collection::vec(access, 0..=most)
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree::Leaf);
    leaf.prop_recursive(3, 8, 3, |inner| {
        let band = (prop::collection::vec(form(), 1..3), inner.clone());
        let order = Just((0..NAMES.len()).collect::<Vec<usize>>()).prop_shuffle();
        let children = prop::collection::vec(inner, NAMES.len());
        prop_oneof![
            band.prop_map(|(members, child)| Tree::Band(members, Box::new(child))),
            (any::<bool>(), order, children).prop_map(|(ordered, order, children)| {
                Tree::Children { ordered, order, children }
            }),
        ]
    })
}

fn problem() -> impl Strategy<Value = Problem> {
    (accesses(2), accesses(3), accesses(2), accesses(1), tree(), any::<bool>()).prop_map(
        |(sink, must, may, kill, tree, as_map)| Problem { sink, must, may, kill, tree, as_map },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    #[test]
    fn flow_is_what_the_definition_says(problem in problem()) {
        check(&problem);
    }
}

/// Reads, computes, and compares with the four relations.
fn example(text: &str, expected: [&str; 4]) {
    let budget = Budget::steps(10_000_000);
    let flow = AccessInformation::parse(text).unwrap().compute_flow(&budget).unwrap();
    let found = [
        &flow.full_must_dependence,
        &flow.full_may_dependence,
        &flow.must_no_source,
        &flow.may_no_source,
    ];
    for (found, expected) in found.into_iter().zip(expected) {
        let expected = UnionMap::parse(expected).unwrap();
        assert!(found.is_equal(&expected, &budget).unwrap(), "{found} is not {expected}");
    }
}

#[test]
fn parameters_decide_whether_there_is_a_source() {
    example(
        "sink: '[n] -> { S[] -> a[n - 1] }'\nmust_source: '[n] -> { T[i] -> a[i] : 0 <= i < n }'\n\
         schedule_map: '{ T[i] -> [0, i]; S[] -> [1] }'",
        [
            "[n] -> { T[i] -> [S[] -> a[i]] : i = n - 1 and i >= 0 }",
            "[n] -> { T[i] -> [S[] -> a[i]] : i = n - 1 and i >= 0 }",
            "[n] -> { S[] -> a[x] : x = n - 1 and n <= 0 }",
            "[n] -> { S[] -> a[x] : x = n - 1 and n <= 0 }",
        ],
    );
}

#[test]
fn a_sink_that_touches_many_elements_has_a_source_for_each() {
    let (found, none) = ("{ T[i] -> [S[] -> a[i]] : 1 <= i < 5 }", "{ S[] -> a[0] }");
    example(
        "sink: '{ S[] -> a[x] : 0 <= x < 5 }'\nmust_source: '{ T[i] -> a[i] : 1 <= i < 9 }'\n\
         schedule_map: '{ T[i] -> [i]; S[] -> [20] }'",
        [found, found, none, none],
    );
}

#[test]
fn tagged_accesses_keep_their_tags() {
    let found = "{ [S[i] -> R[]] -> [[S[i + 1] -> Q[]] -> a[i]] : 0 <= i < 8 }";
    let none = "{ [S[0] -> Q[]] -> a[-1] }";
    example(
        "sink: '{ [S[i] -> Q[]] -> a[i - 1] : 0 <= i < 9 }'\n\
         must_source: '{ [S[i] -> R[]] -> a[i] : 0 <= i < 9 }'\n\
         schedule_map: '{ [S[i] -> Q[]] -> [i]; [S[i] -> R[]] -> [i] }'",
        [found, found, none, none],
    );
}

#[test]
fn instances_without_a_time_take_no_part() {
    let found = "{ T[] -> [S[] -> a[]] }";
    example(
        "sink: '{ S[] -> a[]; V[] -> a[] }'\nmust_source: '{ T[] -> a[]; W[] -> a[] }'\n\
         schedule_map: '{ T[] -> A[0]; S[] -> B[0, 1] }'",
        [found, found, "{ }", "{ }"],
    );
    example("sink: '{ S[] -> a[] }'\nmust_source: '{ T[] -> a[] }'", ["{ }"; 4]);
}

#[test]
fn an_unordered_kill_leaves_no_source_sure() {
    example(
        "sink: '{ S[] -> a[] }'\nmust_source: '{ T[] -> a[] }'\nkill: '{ K[] -> a[] }'\n\
         schedule: { domain: '{ S[]; T[]; K[] }', child: { sequence: [\n\
         { filter: '{ T[]; K[] }', child: { set: [ { filter: '{ T[] }' }, { filter: '{ K[] }' } ] } },\n\
         { filter: '{ S[] }' } ] } }",
        ["{ }", "{ T[] -> [S[] -> a[]] }", "{ }", "{ }"],
    );
}

#[test]
fn errors_name_the_line_and_the_limit() {
    for (text, line) in [
        ("sink: '{ S[] -> a[] }'\nmust: '{ }'\n", "line 2"),
        ("must_source: '{ S[] -> a[] }'\n", "sink"),
        ("sink: '{ S[] -> a[ }'\n", "line 1"),
        ("sink: '{ }'\nschedule_map: '{ }'\nschedule: { domain: '{ }' }\n", "second schedule"),
    ] {
        let error = AccessInformation::parse(text).unwrap_err().to_string();
        assert!(error.contains(line), "{error}");
    }
    let text = "sink: '{ S[i, j] -> a[i + j] }'\nmust_source: '{ S[i, j] -> a[2i - j] }'\n\
                schedule_map: '{ S[i, j] -> [i, j] }'";
    let error = AccessInformation::parse(text).unwrap().compute_flow(&Budget::steps(20));
    assert!(error.unwrap_err().is_limit(), "a limit is a limit");
}
