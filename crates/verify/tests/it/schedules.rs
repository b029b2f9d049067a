//! Legal and illegal schedules: hand-written ones, and all small changes of a program's order
//! against a simulation that remembers the last writer of every element.

use crate::support::{Memory, budget, parameter_values, region};
use loopwright_presburger::{Aff, Int, PwAff, UnionPwAff};
use loopwright_schedule::{Band, Node, ScheduleTree};
use loopwright_scop::Scop;
use loopwright_verify::check_schedule;

/// A schedule of a region in one band.
fn flat(scop: &Scop, members: &[&str]) -> ScheduleTree {
    let members: Vec<String> = members.iter().map(|member| format!("{{ {member} }}")).collect();
    let domain = &scop.schedule.domain;
    let members = members.join(", ");
    let text = format!("domain: \"{domain}\"\nchild:\n  schedule: \"[n] -> [{members}]\"\n");
    ScheduleTree::parse(&text).unwrap()
}

#[track_caller]
fn assert_legal(lines: &str, members: &[&str], legal: bool) {
    let (scop, dependences) = region(lines);
    let tree = flat(&scop, members);
    let proof = check_schedule(&scop, &dependences, &tree, &budget()).unwrap();
    assert_eq!(proof.is_proved(), legal, "{proof:?}");
    let values = parameter_values(&scop.context);
    let same = |value: &i64| Memory::new(&scop, *value).same(&scop.schedule, &tree, *value);
    assert_eq!(values.iter().all(same), legal, "the simulation agrees");
}

#[test]
fn reversed_loops() {
    assert_legal("for (int i = 0; i < n; i++) a[i] = b[i];", &["S0[i] -> [-i]"], true);
    assert_legal("for (int i = 1; i < n; i++) a[i] = a[i - 1];", &["S0[i] -> [-i]"], false);
    assert_legal("for (int i = 1; i < n; i++) a[i - 1] = a[i];", &["S0[i] -> [-i]"], false);
    assert_legal("for (int i = 0; i < n; i++) a[0] = b[i];", &["S0[i] -> [-i]"], false);
    assert_legal("for (int i = 0; i < n; i++) a[i] = a[n - 1 - i];", &["S0[i] -> [-i]"], false);
}

#[test]
fn swapped_statements() {
    let lines = "for (int i = 0; i < n; i++) { a[i] = x; b[i] = a[i]; }";
    assert_legal(lines, &["S0[i] -> [i]; S1[i] -> [i]", "S0[i] -> [0]; S1[i] -> [1]"], true);
    assert_legal(lines, &["S0[i] -> [i]; S1[i] -> [i]", "S0[i] -> [1]; S1[i] -> [0]"], false);
    assert_legal(lines, &["S0[i] -> [i]; S1[i] -> [i]"], false);
    let independent = "for (int i = 0; i < n; i++) { a[i] = x; b[i] = x; }";
    assert_legal(independent, &["S0[i] -> [1]; S1[i] -> [0]", "S0[i] -> [i]; S1[i] -> [i]"], true);
}

#[test]
fn interchange() {
    let skewed =
        "for (int i = 1; i < n; i++) for (int j = 0; j < n - 1; j++) c[i][j] = c[i - 1][j + 1];";
    assert_legal(skewed, &["S0[i, j] -> [j]", "S0[i, j] -> [i]"], false);
    assert_legal(skewed, &["S0[i, j] -> [i + j]", "S0[i, j] -> [i]"], true);
    let plain =
        "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) c[i][j] = c[i - 1][j - 1];";
    assert_legal(plain, &["S0[i, j] -> [j]", "S0[i, j] -> [i]"], true);
}

#[test]
fn fusion() {
    let lines =
        "for (int i = 0; i < n; i++) a[i] = x; for (int i = 1; i < n; i++) b[i] = a[i - 1];";
    let order = "S0[i] -> [0]; S1[i] -> [1]";
    assert_legal(lines, &["S0[i] -> [i]; S1[i] -> [i]", order], true);
    let lines =
        "for (int i = 0; i < n; i++) a[i] = x; for (int i = 1; i < n; i++) b[i] = a[n - i];";
    assert_legal(lines, &["S0[i] -> [i]; S1[i] -> [i]", order], false);
}

/// Live ranges of one scalar may be reordered as a whole but must not overlap.
#[test]
fn live_ranges() {
    let lines = "for (int i = 0; i < n; i++) { t = a[i]; b[i] = t; }";
    let order = "S0[i] -> [0]; S1[i] -> [1]";
    assert_legal(lines, &["S0[i] -> [-i]; S1[i] -> [-i]", order], true);
    assert_legal(lines, &[order, "S0[i] -> [i]; S1[i] -> [i]"], false);
    assert_legal(lines, &["S0[i] -> [i]; S1[i] -> [i + 1]", order], false);
    // A use that starts the next range reads before it writes.
    let lines = "t = x; for (int i = 0; i < n; i++) t = t + a[i]; b[0] = t;";
    let chain = |sign: &str| format!("S0[] -> [-10]; S1[i] -> [{sign}i]; S2[] -> [(n + 1)]");
    assert_legal(&format!("if (n >= 1) {{ {lines} }}"), &[&chain("")], true);
    assert_legal(&format!("if (n >= 1) {{ {lines} }}"), &[&chain("-")], false);
}

/// A statement that is not scheduled at all is reported.
#[test]
fn missing_statements() {
    let (scop, dependences) = region("for (int i = 0; i < n; i++) { a[i] = x; b[i] = x; }");
    let text =
        "domain: \"[n] -> { S0[i] : 0 <= i < n }\"\nchild:\n  schedule: \"[{ S0[i] -> [i] }]\"\n";
    let tree = ScheduleTree::parse(text).unwrap();
    assert!(!check_schedule(&scop, &dependences, &tree, &budget()).unwrap().is_proved());
}

const REGIONS: [&str; 8] = [
    "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) c[i][j] = c[i - 1][j] + c[i][j - 1];",
    "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) c[i][j] = c[i - 1][j + 1];",
    "for (int i = 0; i < n; i++) { t = a[i]; b[i] = t + 1; }",
    "for (int i = 0; i < n; i++) a[i] = x; for (int i = 1; i < n; i++) b[i] = a[i - 1];",
    "for (int i = 0; i < n; i++) { a[i] = 0; for (int j = 0; j < n; j++) a[i] += c[i][j] * b[j]; }",
    "for (int i = 0; i < n; i++) { t = 0; for (int j = 0; j < i; j++) t = t + c[i][j]; b[i] = t; }",
    "for (int i = 0; i < n; i++) { a[i] = x; if (i > 1) a[i - 1] = b[i]; b[i] = a[i]; }",
    "for (int k = 0; k < 3; k++) { for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1]; \
     for (int i = 1; i < n - 1; i++) a[i] = b[i]; }",
];

/// A member with `amount` added for the statement at `position`.
fn shifted(member: &UnionPwAff, position: usize, amount: i64) -> UnionPwAff {
    let mut parts: Vec<PwAff> = member.parts().to_vec();
    let part = &parts[position];
    let constant = Aff::constant(part.domain_space(), &Int::from(amount));
    parts[position] = part.add(&PwAff::from_aff(constant)).unwrap();
    UnionPwAff::from_parts(parts)
}

/// The changes of one node (not of its children).
fn changed(node: &Node) -> Vec<Node> {
    let mut results = Vec::new();
    match node {
        Node::Band(band, child) => {
            let members = band.schedule.members();
            let mut push = |at: usize, member: UnionPwAff, child: &Node| {
                let mut members = members.to_vec();
                members[at] = member;
                results.push(Node::band(band.clone().with_members(members), child.clone()));
            };
            for (at, member) in members.iter().enumerate() {
                push(at, member.neg(), child);
                for position in 0..member.parts().len().min(4) {
                    push(at, shifted(member, position, 1), child);
                    push(at, shifted(member, position, -2), child);
                }
            }
            if let Node::Band(inner, below) = &**child {
                let below = Node::band(band.clone(), (**below).clone());
                results.push(Node::band(inner.clone(), below));
            }
        }
        Node::Sequence(children) => {
            for (later, earlier) in (0..children.len()).flat_map(|l| (0..l).map(move |e| (l, e))) {
                let mut swapped = children.clone();
                swapped.swap(later, earlier);
                results.push(Node::Sequence(swapped));
            }
            results.extend(fused(children));
        }
        _ => {}
    }
    results
}

/// The first two children of a sequence in one loop, if both are loops and there are no others.
fn fused(children: &[Node]) -> Option<Node> {
    let [Node::Filter(first, a), Node::Filter(second, b)] = children else { return None };
    let (Node::Band(one, below_one), Node::Band(two, below_two)) = (&**a, &**b) else {
        return None;
    };
    let both = one.schedule.members()[0].union_disjoint(&two.schedule.members()[0]).unwrap();
    let parts =
        vec![(first.clone(), (**below_one).clone()), (second.clone(), (**below_two).clone())];
    Some(Node::band(Band::from_member(both), Node::sequence(parts)))
}

/// All trees with one change somewhere.
fn mutants(node: &Node) -> Vec<Node> {
    let mut results = changed(node);
    for (position, child) in node.children().iter().enumerate() {
        for mutant in mutants(child) {
            let mut changed = node.clone();
            changed.children_mut()[position] = mutant;
            results.push(changed);
        }
    }
    results
}

/// Refuted exactly if some small parameter value shows a difference.
#[test]
fn verdicts_on_changed_schedules_are_those_of_the_simulation() {
    let (mut legal, mut illegal) = (0, 0);
    for lines in REGIONS {
        let (scop, dependences) = region(lines);
        let values = parameter_values(&scop.context);
        let memories: Vec<Memory> = values.iter().map(|v| Memory::new(&scop, *v)).collect();
        let once = mutants(&scop.schedule.root);
        let twice: Vec<Node> =
            once.iter().flat_map(|root| mutants(root).into_iter().step_by(2)).collect();
        for root in once.into_iter().chain(twice) {
            let tree = ScheduleTree { domain: scop.schedule.domain.clone(), root };
            let proof = check_schedule(&scop, &dependences, &tree, &budget()).unwrap();
            let mut runs = values.iter().zip(&memories);
            let same = runs.all(|(value, memory)| memory.same(&scop.schedule, &tree, *value));
            assert_eq!(proof.is_proved(), same, "{lines}\n{tree}\n{proof:?}");
            if same { legal += 1 } else { illegal += 1 }
        }
    }
    assert!(legal > 50 && illegal > 100, "{legal} legal, {illegal} illegal");
}
