//! The worked examples of Quilleré, Rajopadhye, Wilde, "Generation of efficient nested loops from
//! polyhedra" (IJPP 28(5), 2000), in corrected forms; checked by running the code.
use super::trace::check_map_with;
use expect_test::expect;
use loopwright_astgen::{LevelRange, Options, Separation, Strategy};

/// Separation at all dimensions.
const SEPARATION: Separation = Separation::STANDARD;

/// Separates and checks the traces for parameters in a range; the text.
#[track_caller]
fn check(
    choices: Separation,
    schedule: &str,
    context: &str,
    range: std::ops::Range<i64>,
) -> String {
    let options = Options { strategy: Strategy::Separation(choices), ..Options::STANDARD };
    check_map_with(&options, schedule, context, "{}", range)
}

/// How often a part of the text occurs.
fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn single_polyhedron_of_figure_5() {
    let text = check(
        SEPARATION,
        "[N, M] -> { S[i,j] -> [i,j] : j <= i <= N and j >= 0 and i >= M and i + j <= N + M }",
        "[N, M] -> { : 2 <= M < N }",
        0..9,
    );
    expect![[r#"
        for (int c0 = M; c0 <= N; c0 += 1)
          for (int c1 = 0; c1 <= min(c0, N + M - c0); c1 += 1)
            S(c0, c1);
    "#]]
    .assert_eq(&text);
}

const FIGURE_1: &str = "[N, M] -> { S1[i,j] -> [i,j,0] : 1 <= i <= N and 1 <= j <= M; \
                        S2[i,j] -> [i,j,1] : 3 <= i <= N and j = i }";

/// Figure 7: `S1` alone for `i <= 2`; then `S1` below the diagonal, both on it, `S1` above it, and
/// `S2` on the diagonal beyond `M`, which is the same code as that on the diagonal before.
#[test]
fn two_statements_of_figure_1() {
    let text = check(SEPARATION, FIGURE_1, "[N, M] -> { : 4 <= M <= N }", 0..9);
    assert_eq!(count(&text, "int c0"), 2, "{text}");
    assert_eq!(count(&text, "S2("), 1, "{text}");
    assert_eq!(count(&text, "S1("), 4, "{text}");
}

/// Figure 12, corrected: the loop from 3 on is split at `M`.
#[test]
fn second_separation_of_figure_12() {
    let choices = Separation { remove_dead_loops: true, ..SEPARATION };
    let text = check(choices, FIGURE_1, "[N, M] -> { : 4 <= M <= N }", 0..9);
    assert_eq!(count(&text, "if ("), 0, "{text}");
    assert_eq!(count(&text, "int c0"), 3, "{text}");
    assert_eq!(count(&text, "S2("), 3, "{text}");
}

/// Figure 6, the other extreme: one loop over a superset, with guards.
#[test]
fn superset_with_guards_of_figure_6() {
    let choices = Separation { levels: LevelRange { from: 9, to: 9 }, ..SEPARATION };
    let text = check(choices, FIGURE_1, "[N, M] -> { : 4 <= M <= N }", 0..9);
    assert_eq!(count(&text, "S1("), 1, "{text}");
    assert_eq!(count(&text, "S2("), 1, "{text}");
}

/// Section 5.1: the outer loop is kept whole, the inner one is separated.
#[test]
fn separation_of_inner_loops_only() {
    let choices = Separation { levels: LevelRange { from: 1, to: 9 }, ..SEPARATION };
    let text = check(choices, FIGURE_1, "[N, M] -> { : 4 <= M <= N }", 0..9);
    assert_eq!(count(&text, "int c0"), 1, "{text}");
    assert!(count(&text, "S1(") > 1, "{text}");
}

/// Section 5.2: that `i <= 10` holds shows that there is nothing between the two inner loops.
#[test]
fn deferred_simplification() {
    let text = check(
        SEPARATION,
        "[N] -> { S1[i,j] -> [i,j] : 1 <= i <= 10 and 1 <= j <= i; \
         S2[i,j] -> [i,j] : 1 <= i <= 10 and 11 <= j <= N }",
        "[N] -> { : N >= 11 }",
        8..16,
    );
    expect![[r#"
        for (int c0 = 1; c0 <= 10; c0 += 1) {
          for (int c1 = 1; c1 <= c0; c1 += 1)
            S1(c0, c1);
          for (int c1 = 11; c1 <= N; c1 += 1)
            S2(c0, c1);
        }
    "#]]
    .assert_eq(&text);
}

/// The same without a context: what is empty for a small `N` is recognized in each case.
#[test]
fn rows_and_tails_of_section_5_2_for_all_sizes() {
    let text = check(
        SEPARATION,
        "[N] -> { S1[i,j] -> [i,j] : 1 <= i <= 10 and 1 <= j <= i; \
         S2[i,j] -> [i,j] : 1 <= i <= 10 and 11 <= j <= N }",
        "{ : }",
        -1..15,
    );
    assert_eq!(count(&text, "S2("), 1, "{text}");
    assert!(count(&text, "S1(") <= 2, "{text}");
}

/// Section 4: neither order of two whole loops is right.
#[test]
fn interleaved_statements_of_section_4() {
    let text = check(
        SEPARATION,
        "{ S1[i] -> [i + 1] : 1 <= i <= 10; S2[i] -> [2i] : 4 <= i <= 12 }",
        "{ : }",
        0..1,
    );
    assert_eq!(count(&text, "for ("), 3, "{text}");
    assert!(text.contains("c0 += 2"), "{text}");
}

/// Three pieces of which each comes before the next for some values of the parameters.
#[test]
fn cyclic_order_of_pieces() {
    let schedule = "[p, q] -> { A[x] -> [x] : p = 0 and 0 <= q <= 2 and x = q; \
                    B[x] -> [x] : q = 0 and 0 <= p <= 2 and x = 2 - p; \
                    C[x] -> [x] : p + q = 2 and 0 <= p <= 2 and x = p }";
    check(SEPARATION, schedule, "{ : }", -1..4);
    let outer = "{ A[p, q, x] -> [p, q, x] : p = 0 and 0 <= q <= 2 and x = q; \
                 B[p, q, x] -> [p, q, x] : q = 0 and 0 <= p <= 2 and x = 2 - p; \
                 C[p, q, x] -> [p, q, x] : p + q = 2 and 0 <= p <= 2 and x = p }";
    check(SEPARATION, outer, "{ : }", 0..1);
}

#[test]
fn cyclic_order_of_loops_with_several_iterations() {
    let schedule = "[p, q] -> { A[x] -> [x] : p = 0 and 0 <= q <= 4 and 3q <= x <= 3q + 1; \
                    B[x] -> [x] : q = 0 and 0 <= p <= 4 and 12 - 3p <= x <= 13 - 3p; \
                    C[x] -> [x] : p + q = 4 and 0 <= p <= 4 and 3p + 2 <= x <= 3p + 2 }";
    check(SEPARATION, schedule, "{ : }", -1..6);
}

/// Section 4: two loops without a common finite superset of constraints.
#[test]
fn two_unrelated_upper_bounds() {
    check(
        SEPARATION,
        "[N, M] -> { S1[i] -> [i] : 1 <= i <= N; S2[i] -> [i] : 1 <= i <= M }",
        "{ : }",
        -1..5,
    );
    let superset = Separation { levels: LevelRange { from: 0, to: 0 }, ..SEPARATION };
    let text = check(
        superset,
        "[N, M] -> { S1[i] -> [i] : 1 <= i <= N; S2[i] -> [i] : 1 <= i <= M }",
        "{ : }",
        -1..5,
    );
    assert!(text.starts_with("for (int c0 = 1; c0 <= max(N, M); c0 += 1) {\n"), "{text}");
    assert_eq!(count(&text, "for ("), 1, "{text}");
}

/// Section 6.2: a mapping that is not unimodular.
#[test]
fn stride_of_a_mapping_that_is_not_unimodular() {
    let text = check(SEPARATION, "[N] -> { S[i] -> [2i + 1] : 1 <= i <= N }", "{ : }", -1..6);
    expect![[r#"
        for (int c0 = 3; c0 <= 2 * N + 1; c0 += 2)
          S((c0 - 1) / 2);
    "#]]
    .assert_eq(&text);
}

/// Section 6.3: one sequential dimension, then a parallel nest for every statement.
#[test]
fn sequential_outside_and_parallel_inside() {
    let choices = Separation { sequential_levels: Some(1), ..SEPARATION };
    let options = Options { strategy: Strategy::Separation(choices), ..Options::STANDARD };
    let text = check_map_with(
        &options,
        "[n] -> { S[t,i] -> [t] : 0 <= t < n and 0 <= i < n; \
         T[t,i,j] -> [t] : 0 <= t < n and 0 <= i <= j < n }",
        "{ : }",
        "{}",
        -1..5,
    );
    expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1) {
          // parallel
          for (int c2 = 0; c2 < n; c2 += 1)
            S(c0, c2);
          // parallel
          for (int c2 = 0; c2 < n; c2 += 1)
            for (int c3 = c2; c3 < n; c3 += 1)
              T(c0, c2, c3);
        }
    "#]]
    .assert_eq(&text);
}

/// Section 8: a copy that saves few conditions is not made, one that saves many is.
#[test]
fn copies_that_save_enough_conditions() {
    let context = "[N, M] -> { : 4 <= M <= N }";
    let at = |copy_cost| Separation { copy_cost: Some(copy_cost), ..SEPARATION };
    let everywhere = check(SEPARATION, FIGURE_1, context, 0..9);
    assert_eq!(check(at(0), FIGURE_1, context, 0..9), everywhere);
    let nowhere = check(at(1_000_000_000), FIGURE_1, context, 0..9);
    assert_eq!((count(&nowhere, "S1("), count(&nowhere, "S2(")), (1, 1), "{nowhere}");
    // The outer loop, which has few iterations, is kept whole; the inner one, which has many, is cut.
    let inner = check(at(40), FIGURE_1, context, 0..9);
    assert_eq!(count(&inner, "int c0"), 1, "{inner}");
    assert!(count(&inner, "int c1") > 1, "{inner}");
}
