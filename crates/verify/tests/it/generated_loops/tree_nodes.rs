//! Every kind of node of a schedule tree, checked by running the code.
use super::trace::check_tree;

/// A context node inside of a band introduces the number of a thread.
#[test]
fn context_inside_of_a_band() {
    let text = check_tree(
        r#"{ domain: "[n, t] -> { S[i] : 0 <= i < n and i mod 4 = t }", child: {
             schedule: "[{ S[i] -> [floor(i/8)] }]", child: {
               context: "[t] -> { [c] : 0 <= t < 4 and c >= 0 }", child: {
                 schedule: "[{ S[i] -> [i] }]" } } } }"#,
        "[t] -> { : 0 <= t < 4 }",
        0..13,
    );
    assert!(text.contains("c1 += 4") && !text.contains("if ("), "{text}");
}

/// Conditions on a parameter that a context node introduces are checked inside of the node.
#[test]
fn conditions_on_introduced_parameters_stay_inside() {
    let text = check_tree(
        r#"{ domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }", child: {
             schedule: "[{ S[i] -> [i]; T[i] -> [i] }]", child: { sequence: [
               { filter: "{ S[i] }" },
               { filter: "{ T[i] }", child: {
                   context: "[t] -> { [c] : 0 <= t < 4 }" } } ] } } }"#,
        "[t] -> { : 0 <= t < 4 }",
        0..6,
    );
    assert!(!text.contains("if ("), "{text}");
}

#[test]
fn context_at_the_root_makes_divisions_cheap() {
    let text = check_tree(
        r#"{ domain: "[n, m] -> { S[i] : i = floor(n/4) and m > 3 }", child: {
             context: "[n, m] -> { : n >= 0 }", child: {
               schedule: "[{ S[i] -> [i] }]" } } }"#,
        "[n, m] -> { : n >= 0 }",
        0..9,
    );
    assert_eq!(text, "if (m >= 4)\n  S(n / 4);\n");
}

#[test]
fn guard_that_the_domain_repeats() {
    check_tree(
        r#"{ domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n - 3 and i + 2 <= n }", child: {
             schedule: "[{ S[i, j] -> [i] }]", child: {
               guard: "[n] -> { [c] : n >= 4 }", child: {
                 schedule: "[{ S[i, j] -> [j] }]" } } } }"#,
        "{ : }",
        -1..8,
    );
}

#[test]
fn extension_copies_in_front_of_a_tile() {
    let text = check_tree(
        r#"{ domain: "[n] -> { S[i] : 0 <= i < n }", child: {
             schedule: "[{ S[i] -> [floor(i/4)] }]", child: {
               extension: "[n] -> { [c] -> copy[x] : 4c <= x < 4c + 4 and 0 <= x < n }",
               child: { sequence: [
                 { filter: "{ copy[x] }", child: { schedule: "[{ copy[x] -> [x] }]" } },
                 { filter: "{ S[i] }", child: { schedule: "[{ S[i] -> [i] }]" } } ] } } } }"#,
        "{ : }",
        -1..11,
    );
    assert!(text.contains("copy("), "{text}");
}

#[test]
fn expansion_of_a_group() {
    let text = check_tree(
        r#"{ domain: "[n] -> { G[i] : 0 <= i < n }", child: {
             schedule: "[{ G[i] -> [i] }]", child: {
               contraction: "{ A[i, j] -> G[i]; B[i] -> G[i] }",
               expansion: "{ G[i] -> A[i, j] : 0 <= j <= i; G[i] -> B[i] }",
               child: { sequence: [
                 { filter: "{ B[i] }" },
                 { filter: "{ A[i, j] }", child: { schedule: "[{ A[i, j] -> [j] }]" } } ] } } } }"#,
        "{ : }",
        -1..7,
    );
    assert!(text.contains("A(c0, c1)") && text.contains("B(c0)"), "{text}");
}

#[test]
fn marks_and_sets() {
    let text = check_tree(
        r#"{ domain: "[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < 4 }", child: { set: [
             { filter: "{ B[i] }", child: { schedule: "[{ B[i] -> [i] }]" } },
             { filter: "{ A[i] }", child: { mark: "here", child: {
                 schedule: "[{ A[i] -> [-i] }]" } } } ] } }"#,
        "{ : }",
        -1..7,
    );
    assert!(text.contains("// here"), "{text}");
}

/// Copying with elements mapped to threads by a remainder, as in figures 1 and 2: the loops are
/// unrolled, and what is left of the conditions is shared.
#[test]
fn copy_code_with_elements_mapped_to_threads() {
    let text = check_tree(
        r#"{ domain: "[t] -> { C[i, j] : 0 <= i < 3 and 2 <= j < 26 and (5i + j) mod 16 = t }",
             child: { context: "[t] -> { : 0 <= t < 16 }", child: {
               schedule: "[{ C[i, j] -> [i] }, { C[i, j] -> [j] }]",
               options: "{ unroll[x] }" } } }"#,
        "[t] -> { : 0 <= t < 16 }",
        0..16,
    );
    assert!(!text.contains("for (") && !text.contains("floord"), "{text}");
    assert!(text.matches("C(").count() <= 8, "{text}");
}
