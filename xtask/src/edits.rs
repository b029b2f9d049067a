//! Editing operations on random schedule trees beside isl's: the same order of the instances.
use crate::repository;
use loopwright_presburger::{Budget, Error, Int, MultiUnionPwAff, Result, Set, UnionMap};
use loopwright_presburger::{UnionPwMultiAff, UnionSet};
use loopwright_schedule::{Band, Node, ScheduleTree, TileLoops};
use loopwright_testkit::Choices;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

/// The operations, and what they are applied to.
const OPERATIONS: [(&str, Place); 22] = [
    ("tile", Place::Band),
    ("scale", Place::Band),
    ("scale_down", Place::Band),
    ("modulo", Place::Band),
    ("shift", Place::Band),
    ("split", Place::Band),
    ("sink", Place::Band),
    ("delete", Place::Band),
    ("cut", Place::Any),
    ("insert_mark", Place::Any),
    ("insert_filter", Place::Any),
    ("insert_sequence", Place::Any),
    ("insert_set", Place::Any),
    ("insert_partial_schedule", Place::Any),
    ("order_before", Place::Any),
    ("order_after", Place::Any),
    ("graft_before", Place::Any),
    ("graft_after", Place::Any),
    ("group", Place::Any),
    ("gist_params", Place::Whole),
    ("intersect_domain", Place::Whole),
    ("pullback", Place::Whole),
];

const HALF: &str = "{ S[i, j] : i > j; T[i, j] : i < 2 }";
const HALVES: &str = "{ S[i, j] : i > j; T[i, j] : i < 2 }|{ S[i, j] : i <= j; T[i, j] : i >= 2 }";

#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// A band.
    Band,
    /// Any node that is no child of a sequence or a set.
    Any,
    /// The whole tree.
    Whole,
}

/// An operation at a place of a tree.
struct Case {
    operation: &'static str,
    path: Vec<usize>,
    argument: String,
    tree: ScheduleTree,
}

/// `cargo xtask edits [--cases N] [--seed N]`.
pub(crate) fn run(mut parser: lexopt::Parser) -> std::result::Result<(), String> {
    let (mut n_cases, mut seed) = (400u64, 0u64);
    while let Some(argument) = parser.next().map_err(|e| e.to_string())? {
        let given = match argument {
            lexopt::Arg::Long("cases") => &mut n_cases,
            lexopt::Arg::Long("seed") => &mut seed,
            other => return Err(other.unexpected().to_string()),
        };
        let value = parser.value().map_err(|e| e.to_string())?;
        *given = value.to_string_lossy().parse().map_err(|_| "a number is expected")?;
    }
    let cases: Vec<Case> = (seed..seed + n_cases).map(Case::random).collect();
    let answers = isl(&cases)?;
    let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut n_different = 0;
    for (number, (case, answer)) in cases.iter().zip(&answers).enumerate() {
        let verdict = case.compare(answer);
        let count = counts.entry(case.operation).or_default();
        match verdict {
            Ok(true) => count[0] += 1,
            Ok(false) => count[1] += 1,
            Err(difference) => {
                count[2] += 1;
                n_different += 1;
                println!("case {}: {difference}\n{}", seed + number as u64, case.text());
            }
        }
    }
    println!("operation                 same  refused by both  different");
    for (operation, [same, refused, different]) in counts {
        println!("{operation:24} {same:5} {refused:16} {different:10}");
    }
    if n_different == 0 { Ok(()) } else { Err(format!("{n_different} results differ")) }
}

impl Case {
    fn random(seed: u64) -> Case {
        let choices = &mut Choices::from_seed(seed);
        loop {
            let tree = random_tree(choices);
            let (operation, place) = OPERATIONS[choices.below(OPERATIONS.len())];
            let mut places = Vec::new();
            collect(&tree.root, true, place, &mut Vec::new(), &mut places);
            let path = match places.len() {
                0 => continue,
                n => places[choices.below(n)].clone(),
            };
            let n_members = match tree.at(&path) {
                Some(Node::Band(band, _)) => band.n_members(),
                _ => 0,
            };
            let n_outside = n_members_above(&tree, &path);
            let argument = match operation {
                "graft_before" | "graft_after" => graft(n_outside),
                _ => argument(operation, n_members, choices),
            };
            return Case { operation, path, argument, tree };
        }
    }

    fn text(&self) -> String {
        let (operation, path, argument) = (self.operation, &self.path, &self.argument);
        format!("{operation} at {path:?} with {argument}\n{}", self.tree)
    }

    /// Whether both have the same result (or both refuse); otherwise how they differ.
    fn compare(&self, answer: &str) -> std::result::Result<bool, String> {
        let own = self.edited();
        let (own, others) = match (own, answer.strip_prefix("! ")) {
            (Err(_), Some(_)) => return Ok(false),
            (Err(error), None) => return Err(format!("refused here only: {error}")),
            (Ok(_), Some(error)) => return Err(format!("refused by isl only: {error}")),
            (Ok(own), None) => (own, answer.replace("\\n", "\n")),
        };
        let others = ScheduleTree::parse(&others).map_err(|e| format!("unreadable: {e}"))?;
        let budget = Budget::steps(50_000_000);
        match own.has_equal_order(&others, &budget) {
            Ok(true) => Ok(true),
            Ok(false) => Err(format!("another order:\n{own}\nisl:\n{others}")),
            Err(error) => Err(format!("not compared: {error}\n{own}\nisl:\n{others}")),
        }
    }

    fn edited(&self) -> Result<ScheduleTree> {
        let (tree, path, argument) = (&self.tree, &self.path[..], self.argument.as_str());
        let budget = Budget::steps(50_000_000);
        let numbers = || argument.split(' ').map(|n| Int::from(n.parse().unwrap_or(1i64)));
        let numbers = || numbers().collect::<Vec<Int>>();
        let one = |change: &dyn Fn(&Band) -> Result<Band>| {
            tree.edit_band(path, |band| Ok(vec![change(band)?]))
        };
        let sets =
            || -> Result<Vec<UnionSet>> { argument.split('|').map(UnionSet::parse).collect() };
        match self.operation {
            "tile" => tree.edit_band(path, |band| {
                let (tiles, points) = band.tile(&numbers(), TileLoops::Scaled)?;
                Ok(vec![tiles, points])
            }),
            "scale" => one(&|band| band.scale(&numbers())),
            "scale_down" => one(&|band| band.scale_down(&numbers())),
            "modulo" => one(&|band| band.modulo(&numbers())),
            "shift" => one(&|band| band.shift(&MultiUnionPwAff::parse(argument)?)),
            "split" => tree.split_band(path, argument.parse().unwrap_or(0)),
            "sink" => tree.sink_band(path),
            "delete" => tree.delete(path),
            "cut" => tree.cut(path),
            "insert_mark" => tree.insert_mark(path, argument.into()),
            "insert_filter" => tree.insert_filter(path, UnionSet::parse(argument)?),
            "insert_sequence" => tree.insert_sequence(path, &sets()?),
            "insert_set" => tree.insert_set(path, &sets()?),
            "insert_partial_schedule" => {
                let band = Band::new(MultiUnionPwAff::parse(argument)?);
                tree.insert_partial_schedule(path, band)
            }
            "order_before" => tree.order_before(path, &UnionSet::parse(argument)?, &budget),
            "order_after" => tree.order_after(path, &UnionSet::parse(argument)?, &budget),
            "graft_before" => tree.graft_before(path, &UnionMap::parse(argument)?, Node::Leaf),
            "graft_after" => tree.graft_after(path, &UnionMap::parse(argument)?, Node::Leaf),
            "group" => tree.group(path, argument),
            "gist_params" => tree.gist_params(&Set::parse(argument)?, &budget),
            "intersect_domain" => tree.intersect_domain(&UnionSet::parse(argument)?),
            "pullback" => tree.pullback(&UnionPwMultiAff::parse(argument)?),
            other => Err(Error::Invalid { operation: "editing", reason: other.to_string() }),
        }
    }
}

fn argument(operation: &str, n_members: usize, choices: &mut Choices) -> String {
    let numbers = |choices: &mut Choices| {
        let all: Vec<String> = (0..n_members).map(|_| choices.between(1, 4).to_string()).collect();
        all.join(" ")
    };
    match operation {
        "tile" | "scale" | "scale_down" | "modulo" => numbers(choices),
        "shift" => band(choices, &["S", "T"], n_members),
        "split" => choices.below(n_members + 1).to_string(),
        "insert_partial_schedule" => band(choices, &["S", "T"], 1),
        "insert_mark" | "group" => "G".to_string(),
        "insert_sequence" | "insert_set" => HALVES.to_string(),
        "gist_params" => "[n] -> { : n > 2 }".to_string(),
        "pullback" => "{ S[i, j] -> S[j, i]; U[i, j] -> T[i, j + 1] }".to_string(),
        "insert_filter" | "order_before" | "order_after" | "intersect_domain" => HALF.to_string(),
        _ => String::new(),
    }
}

/// The number of members of the bands above a node.
fn n_members_above(tree: &ScheduleTree, path: &[usize]) -> usize {
    let n_members = |node: Option<&Node>| match node {
        Some(Node::Band(band, _)) => band.n_members(),
        _ => 0,
    };
    (0..path.len()).map(|length| n_members(tree.at(&path[..length]))).sum()
}

/// Instances to be added at a place with so many outer dimensions: each runs once.
fn graft(n_outside: usize) -> String {
    let outside: Vec<String> = (0..n_outside).map(|d| format!("t{d}")).collect();
    let inside = [&outside[..], &["k".to_string()]].concat();
    format!("{{ [{}] -> C[{}] : 0 <= k < 2 }}", outside.join(", "), inside.join(", "))
}

/// The paths of the nodes that an operation may be applied to.
fn collect(
    node: &Node,
    is_free: bool,
    place: Place,
    path: &mut Vec<usize>,
    places: &mut Vec<Vec<usize>>,
) {
    let fits = match place {
        Place::Band => matches!(node, Node::Band(..)),
        Place::Any => is_free,
        Place::Whole => path.is_empty(),
    };
    if fits {
        places.push(path.clone());
    }
    let free_below = !matches!(node, Node::Sequence(_) | Node::Set(_));
    for (position, child) in node.children().iter().enumerate() {
        path.push(position);
        collect(child, free_below, place, path, places);
        path.pop();
    }
}

fn band(choices: &mut Choices, statements: &[&str], n_members: usize) -> String {
    let mut member = || {
        let part = |s: &&str, choices: &mut Choices| {
            let (a, b, c) = (choices.between(-1, 2), choices.between(-1, 1), choices.between(0, 1));
            format!("{s}[i, j] -> [({a}i + {b}j + {c})]")
        };
        let parts: Vec<String> = statements.iter().map(|s| part(s, choices)).collect();
        format!("{{ {} }}", parts.join("; "))
    };
    let members: Vec<String> = (0..n_members).map(|_| member()).collect();
    format!("[{}]", members.join(", "))
}

fn random_tree(choices: &mut Choices) -> ScheduleTree {
    let root = subtree(choices, &["S", "T"], 3);
    let text = format!(
        "{{ domain: \"[n] -> {{ S[i, j] : 0 <= i, j < n < 9; T[i, j] : 0 <= i, j <= 3 }}\", child: {root} }}"
    );
    ScheduleTree::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A subtree that ends in bands: isl prints marks above leaves, but does not read them.
fn subtree(choices: &mut Choices, statements: &[&str], depth: usize) -> String {
    match choices.below(5) {
        _ if depth == 0 => format!("{{ schedule: \"{}\" }}", band(choices, statements, 1)),
        0 => format!("{{ mark: m, child: {} }}", subtree(choices, statements, depth - 1)),
        1 | 2 => {
            let kind = if choices.percent(70) { "sequence" } else { "set" };
            let (first, second, a, b) = match statements {
                [s] => (format!("{s}[i, j] : i > j"), format!("{s}[i, j] : i <= j"), *s, *s),
                _ => ("T[i, j]".to_string(), "S[i, j]".to_string(), "T", "S"),
            };
            let (a, b) = (subtree(choices, &[a], depth - 1), subtree(choices, &[b], depth - 1));
            format!(
                "{{ {kind}: [ {{ filter: \"{{ {first} }}\", child: {a} }}, \
                 {{ filter: \"{{ {second} }}\", child: {b} }} ] }}"
            )
        }
        _ => {
            let n_members = 1 + choices.below(2);
            let schedule = band(choices, statements, n_members);
            let child = subtree(choices, statements, depth - 1);
            // Only permutable bands are tiled here, isl tiles all.
            format!("{{ schedule: \"{schedule}\", permutable: 1, child: {child} }}")
        }
    }
}

/// isl's results.
fn isl(cases: &[Case]) -> std::result::Result<Vec<String>, String> {
    let mut input = String::new();
    for case in cases {
        let path: Vec<String> = case.path.iter().map(usize::to_string).collect();
        let tree = case.tree.to_string().replace('\n', "\\n");
        input += &format!("{}\t{}\t{}\t{tree}\n", case.operation, path.join(" "), case.argument);
    }
    let mut child = Command::new("python3")
        .arg(repository::root().join("xtask/scripts/isl_edits.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot run python3: {e}"))?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    let _ = writer.join();
    let text = String::from_utf8_lossy(&output.stdout);
    let answers: Vec<String> = text.lines().map(str::to_string).collect();
    match answers.len() == cases.len() {
        true => Ok(answers),
        false => Err(format!("{} answers to {} cases", answers.len(), cases.len())),
    }
}
