//! Marks of kernels, blocks and threads where they are wrong: each is refuted, by the proof that owns the
//! claim.
use crate::support::{budget, region};
use loopwright_schedule::ScheduleTree;
use loopwright_verify::{check_kernels, check_parallel_loops};

/// Whether each of both proofs holds: marks stand where they may, and no marked loop carries a dependence.
fn proofs(lines: &str, rest: &str) -> (bool, bool) {
    let (scop, dependences) = region(lines);
    let text = format!("domain: \"{}\"\nchild: {rest}\n", scop.schedule.domain);
    let tree = ScheduleTree::parse(&text).unwrap();
    let independent = check_parallel_loops(&scop, &dependences, &tree, &budget()).unwrap();
    (check_kernels(&tree).is_proved(), independent.is_proved())
}

/// Marks above bands of one member each, from outside in.
fn tree(levels: &[(&str, &str)]) -> String {
    levels.iter().rev().fold(String::new(), |below, (mark, member)| {
        let child = if below.is_empty() { below } else { format!(", child: {below}") };
        let band = match member.is_empty() {
            true => return format!("{{ mark: \"{mark}\"{child} }}"),
            false => format!("{{ schedule: \"[n] -> [{{ {member} }}]\"{child} }}"),
        };
        if mark.is_empty() { band } else { format!("{{ mark: \"{mark}\", child: {band} }}") }
    })
}

const PRODUCT: &str =
    "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i][j] += a[i] * b[j];";
const SUMS: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i] += c[i][j];";
const CHAIN: &str =
    "for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) c[i][j] = c[i - 1][j];";
const SHIFTED: &str =
    "for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) c[i][j - 1] = c[i][j];";
const SCALAR: &str =
    "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { x = c[i][j]; c[i][j] = x + 1; }";

const I: &str = "S0[i, j] -> [i]";
const J: &str = "S0[i, j] -> [j]";
const KERNEL: (&str, &str) = ("kernel(k)", "");

#[test]
fn right_marks_are_proved() {
    for lines in [PRODUCT] {
        for (outer, inner) in
            [("block(y)", "block(x)"), ("block(x)", "thread(x)"), ("thread(y)", "thread(x)")]
        {
            let levels = [KERNEL, (outer, I), (inner, J)];
            assert_eq!(proofs(lines, &tree(&levels)), (true, true), "{outer} {inner}");
        }
    }
    assert_eq!(proofs(SUMS, &tree(&[KERNEL, ("thread(x)", I), ("", J)])), (true, true));
}

/// Loops over blocks and threads that carry a dependence.
#[test]
fn loops_that_depend_are_refuted() {
    for mark in ["block(x)", "thread(x)", "block(z)", "thread(y)"] {
        for (lines, outer, inner) in
            [(SUMS, "", mark), (CHAIN, mark, ""), (SHIFTED, "", mark), (SCALAR, mark, "")]
        {
            let (outer, inner) = if lines == SCALAR {
                (
                    (outer, "S0[i, j] -> [i]; S1[i, j] -> [i]"),
                    (inner, "S0[i, j] -> [j]; S1[i, j] -> [j]"),
                )
            } else {
                ((outer, I), (inner, J))
            };
            // A loop around a loop over threads is refuted by its place as well: what counts here is the
            // dependence.
            let (_, independent) = proofs(lines, &tree(&[KERNEL, outer, inner]));
            assert!(!independent, "{lines} {mark}");
        }
    }
}

/// Marks where they mean nothing, or twice.
#[test]
fn misplaced_marks_are_refuted() {
    let misplaced: [&[(&str, &str)]; 8] = [
        &[("", I), ("vector_copy(2)", J)],
        &[("thread(x)", I), ("", J)],
        &[("block(x)", I), KERNEL, ("thread(x)", J)],
        &[KERNEL, ("thread(x)", I), ("thread(x)", J)],
        &[KERNEL, ("block(y)", I), ("block(y)", J)],
        &[KERNEL, ("thread(x)", I), KERNEL, ("", J)],
        &[KERNEL, ("thread(x)", I), ("vector_copy(2)", "")],
        &[("", I), ("", J)],
    ];
    for levels in misplaced {
        let (in_place, _) = proofs(PRODUCT, &tree(levels));
        assert!(!in_place, "{levels:?}");
    }
}
