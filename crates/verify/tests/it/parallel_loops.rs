//! Marks on loops that do and do not carry dependences.

use crate::support::{budget, region};
use loopwright_schedule::ScheduleTree;
use loopwright_verify::check_parallel_loops;

/// Checks the tree with `rest` below the domain of the region, and the verdict.
#[track_caller]
pub(crate) fn assert_tree(lines: &str, rest: &str, proved: bool) {
    let (scop, dependences) = region(lines);
    let text = format!("domain: \"{}\"\nchild: {rest}\n", scop.schedule.domain);
    let tree = ScheduleTree::parse(&text).unwrap();
    let proof = check_parallel_loops(&scop, &dependences, &tree, &budget()).unwrap();
    assert_eq!(proof.is_proved(), proved, "{proof:?}");
}

/// Checks `mark` above a band with the given members, of which the first loop is meant.
#[track_caller]
fn assert_mark(lines: &str, mark: &str, members: &[&str], proved: bool) {
    let members: Vec<String> = members.iter().map(|member| format!("{{ {member} }}")).collect();
    let band = format!("{{ schedule: \"[n] -> [{}]\" }}", members.join(", "));
    assert_tree(lines, &format!("{{ mark: \"{mark}\", child: {band} }}"), proved);
}

const SCALAR: &str = "for (int i = 0; i < n; i++) { t = a[i]; b[i] = t; }";
const SCALAR_ORDER: [&str; 2] = ["S0[i] -> [i]; S1[i] -> [i]", "S0[i] -> [0]; S1[i] -> [1]"];

#[test]
fn loops_with_and_without_dependences() {
    for mark in ["parallel", "vector"] {
        let independent = "for (int i = 0; i < n; i++) a[i] = b[i];";
        assert_mark(independent, mark, &["S0[i] -> [i]"], true);
        assert_mark(independent, mark, &["S0[i] -> [-i]"], true);
        let chain = "for (int i = 1; i < n; i++) a[i] = a[i - 1];";
        assert_mark(chain, mark, &["S0[i] -> [i]"], false);
        let anti = "for (int i = 1; i < n; i++) a[i - 1] = a[i];";
        assert_mark(anti, mark, &["S0[i] -> [i]"], false);
        let output = "for (int i = 0; i < n; i++) a[0] = b[i];";
        assert_mark(output, mark, &["S0[i] -> [i]"], false);
        let far = "for (int i = 4; i < n; i++) a[i] = a[i - 4];";
        assert_mark(far, mark, &["S0[i] -> [i]"], false);
        assert_mark(far, mark, &["S0[i] -> [i mod 4]", "S0[i] -> [i]"], true);
        let sum = "for (int i = 0; i < n; i++) a[0] += b[i];";
        assert_mark(sum, mark, &["S0[i] -> [i]"], false);
    }
}

/// Only dependences between different iterations of the marked loop count.
#[test]
fn outer_and_inner_loops() {
    let rows = "for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) c[i][j] = c[i][j - 1];";
    assert_mark(rows, "parallel", &["S0[i, j] -> [i]", "S0[i, j] -> [j]"], true);
    assert_mark(rows, "parallel", &["S0[i, j] -> [j]", "S0[i, j] -> [i]"], false);
    let inner = |outer: &str, inner: &str| {
        format!(
            "{{ schedule: \"[{{ S0[i, j] -> [{outer}] }}]\", child: {{ mark: \"parallel\", \
             child: {{ schedule: \"[{{ S0[i, j] -> [{inner}] }}]\" }} }} }}"
        )
    };
    assert_tree(rows, &inner("i", "j"), false);
    assert_tree(rows, &inner("j", "i"), true);
    let both = "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) \
                c[i][j] = c[i - 1][j] + c[i][j - 1];";
    assert_tree(both, &inner("i", "j"), false);
    assert_tree(both, &inner("i + j", "i"), true);
    assert_tree(both, &inner("i + 2j", "i"), true);
    assert_tree(both, &inner("floor((i + j)/2)", "i"), false);
}

/// Rows may depend on each other, but a later row not on a later step.
#[test]
fn pipelines() {
    let both = "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) \
                c[i][j] = c[i - 1][j] + c[i][j - 1];";
    let (i, j, sum) = ("S0[i, j] -> [i]", "S0[i, j] -> [j]", "S0[i, j] -> [i + j]");
    let steps_before = "for (int i = 1; i < n; i++) for (int j = 0; j < n - 1; j++) \
                        c[i][j] = c[i - 1][j + 1];";
    for (lines, members, proved) in [
        (both, &[i, j][..], true),
        (both, &[j, i], true),
        (both, &[i, "S0[i, j] -> [floor(j/4)]", j], true),
        (both, &["S0[i, j] -> [floor(i/4)]", "S0[i, j] -> [floor(j/4)]", i, j], true),
        (both, &[i, "S0[i, j] -> [-j]"], true),
        (both, &["S0[i, j] -> [-i]", "S0[i, j] -> [-j]"], true),
        (both, &[sum, "S0[i, j] -> [-j]"], false),
        (both, &["S0[i, j] -> [-i]", sum], false),
        (both, &[sum, i], true),
        // A pipeline of one loop is none.
        (both, &[i], false),
        // Step j of a row needs step j + 1 of the row before.
        (steps_before, &[i, j], false),
        (steps_before, &[i, sum], true),
        (steps_before, &[i, "S0[i, j] -> [floor((i + j)/4)]", j], true),
    ] {
        assert_mark(lines, "pipelined", members, proved);
    }
}

/// A variable that each row writes and reads at all steps is private to rows, unless a value goes from one
/// row to the next.
#[test]
fn private_scalars_of_rows() {
    let rows = "for (int i = 1; i < n; i++) { t = c[i][0]; for (int j = 1; j < n; j++) \
                c[i][j] = c[i - 1][j] + t; }";
    let members = ["S0[i] -> [i]; S1[i, j] -> [i]", "S0[i] -> [0]; S1[i, j] -> [j]"];
    assert_mark(rows, "pipelined", &members, false);
    assert_mark(rows, "pipelined private(t)", &members, true);
    let carried = rows.replace("t = c[i][0];", "t = t + c[i][0];");
    assert_mark(&carried, "pipelined private(t)", &members, false);
    assert_mark(&carried, "pipelined", &members, false);
}

#[test]
fn private_scalars() {
    assert_mark(SCALAR, "parallel", &SCALAR_ORDER, false);
    assert_mark(SCALAR, "parallel private(t)", &SCALAR_ORDER, true);
    assert_mark(SCALAR, "vector private(t)", &SCALAR_ORDER, true);
    // The value leaves the iteration, or the loop.
    let carried = "for (int i = 0; i < n; i++) { b[i] = t; t = a[i]; }";
    assert_mark(carried, "parallel private(t)", &SCALAR_ORDER, false);
    let used_after = format!("{SCALAR} if (n >= 1) b[0] = t;");
    let members = ["S0[i] -> [i]; S1[i] -> [i]; S2[] -> [n]"];
    assert_mark(&used_after, "parallel private(t)", &members, false);
    let used_before = "t = x; for (int i = 0; i < n; i++) a[i] = t;";
    assert_mark(used_before, "parallel private(t)", &["S0[] -> [-1]; S1[i] -> [i]"], false);
    let sum = "t = 0; for (int i = 0; i < n; i++) t += a[i]; b[0] = t;";
    let members = ["S0[] -> [-1]; S1[i] -> [i]; S2[] -> [n]"];
    assert_mark(&format!("if (n >= 1) {{ {sum} }}"), "parallel private(t)", &members, false);
}

/// A private scalar that is assigned in the loop and read by code outside of the marked loop.
#[test]
fn values_of_private_scalars_that_leave_the_loop() {
    let lines = "if (n >= 1) { for (int i = 0; i < n; i++) t = a[i]; b[0] = t; }";
    let rest = "{ sequence: [ { filter: \"{ S0[i] }\", child: { mark: \"parallel private(t)\", \
                child: { schedule: \"[{ S0[i] -> [i] }]\" } } }, { filter: \"{ S1[] }\" } ] }";
    assert_tree(lines, rest, false);
}

/// What is private gets no value and loses its value: that is for scalars that are looked at only.
#[test]
fn private_names_that_are_no_scalars() {
    let lines = "for (int i = 1; i < n; i++) a[i] = b[i];";
    for private in ["a", "b", "n", "i", "nothing"] {
        let mark = format!("parallel private({private})");
        assert_mark(lines, &mark, &["S0[i] -> [i]"], false);
    }
}

/// Marks that stand above several loops, or none, are not taken on trust.
#[test]
fn marks_that_are_not_directly_above_a_band() {
    let lines = "for (int i = 1; i < n; i++) a[i] = a[i - 1]; \
                 for (int i = 1; i < n; i++) b[i] = b[i - 1];";
    let part = |s: &str| {
        format!("{{ filter: \"{{ {s}[i] }}\", child: {{ schedule: \"[{{ {s}[i] -> [i] }}]\" }} }}")
    };
    let sequence = format!("{{ sequence: [ {}, {} ] }}", part("S0"), part("S1"));
    assert_tree(lines, &sequence, true);
    assert_tree(lines, &format!("{{ mark: \"parallel\", child: {sequence} }}"), false);
    let band = "{ schedule: \"[{ S0[i] -> [i]; S1[i] -> [i] }]\" }";
    let context = format!("{{ context: \"[n] -> {{ [] : n >= 0 }}\", child: {band} }}");
    assert_tree(lines, &format!("{{ mark: \"parallel\", child: {context} }}"), false);
    let twice = format!("{{ mark: \"note\", child: {band} }}");
    assert_tree(lines, &twice, true);
    assert_tree(lines, &format!("{{ mark: \"vector\", child: {twice} }}"), false);
}
