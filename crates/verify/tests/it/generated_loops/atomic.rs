//! Atomic loops are kept: one loop, in which each statement stands once, also where the statements have no
//! bound in common.
use super::trace::{check_map, check_map_with, check_tree};
use expect_test::expect;
use loopwright_astgen::Options;

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

/// The upper and the lower bound of a point and a range that may be empty.
#[test]
fn a_point_and_a_range_that_may_be_empty() {
    let text = check_map(
        "[n] -> { A[i] -> [i, 0] : 3 <= i <= n; B[] -> [3, 1] }",
        "{ : }",
        "{ [i, j] -> atomic[x] }",
        -2..9,
    );
    expect![[r#"
        for (int c0 = 3; c0 <= max(n, 3); c0 += 1) {
          if (c0 <= n)
            A(c0);
          if (c0 == 3)
            B();
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn ranges_with_unrelated_bounds() {
    let text = check_map(
        "[p, q, r, s] -> { A[i] -> [i, 0] : p <= i < q; B[i] -> [i, 1] : r <= i < s; \
         C[i] -> [i, 2] : 2 <= i < 4 }",
        "{ : }",
        "{ [i, j] -> atomic[0] }",
        -1..5,
    );
    assert_eq!((count(&text, "for ("), count(&text, "if (")), (1, 3), "{text}");
    for statement in ["A(", "B(", "C("] {
        assert_eq!(count(&text, statement), 1, "{text}");
    }
    assert!(text.contains("c0 < max("), "{text}");
}

/// At each value of the outer loop the inner one runs between two values, in steps of what is between them.
#[test]
fn two_values_that_move_apart() {
    let text = check_map(
        "{ A[i] -> [i, 3i, 0] : 0 <= i <= 6; B[i] -> [i, 9, 1] : 0 <= i <= 6 }",
        "{ : }",
        "{ [i, j, k] -> atomic[x] }",
        0..1,
    );
    assert!(
        text.contains("for (int c1 = min(3 * c0, 9); c1 <= max(3 * c0, 9); c1 += 3) {"),
        "{text}"
    );
    assert_eq!((count(&text, "A("), count(&text, "B(")), (1, 1), "{text}");
}

/// A range of a type in the context is no bound: a loop to it would hardly end.
#[test]
fn ranges_of_types_are_no_bounds() {
    let text = check_map(
        "[n, m] -> { A[i] -> [i, 0] : 0 <= i < n; B[i] -> [i, 1] : 0 <= i < m }",
        "[n, m] -> { : -2147483648 <= n, m <= 2147483647 }",
        "{ [i, j] -> atomic[0] }",
        -1..5,
    );
    assert!(text.starts_with("for (int c0 = 0; c0 < max(n, m); c0 += 1) {\n"), "{text}");
}

/// Tiles of statements of different extents: every level of the band is one loop.
#[test]
fn tiles_of_different_extents() {
    let text = check_tree(
        r#"{ domain: "[n, m] -> { A[i] : 0 <= i < n; B[i, j] : 0 <= i < m and 0 <= j < n; C[] }", child: {
             schedule: "[{ A[i] -> [4*floor(i/4)]; B[i, j] -> [4*floor(i/4)]; C[] -> [0] }, { A[i] -> [0]; B[i, j] -> [4*floor(j/4)]; C[] -> [4] }]",
             options: "{ atomic[x] }", child: {
               schedule: "[{ A[i] -> [i]; B[i, j] -> [i]; C[] -> [0] }, { A[i] -> [0]; B[i, j] -> [j]; C[] -> [4] }]",
               options: "{ atomic[x] }", child: { sequence: [
                 { filter: "{ A[i] }" }, { filter: "{ B[i, j] }" }, { filter: "{ C[] }" } ] } } } }"#,
        "{ : }",
        -1..7,
    );
    assert_eq!(count(&text, "for ("), 4, "{text}");
    for statement in ["A(", "B(", "C("] {
        assert_eq!(count(&text, statement), 1, "{text}");
    }
}

/// The bound is not the same form of a statement for all parameters.
#[test]
fn bounds_by_conditions() {
    let parts = "(0 <= i < 2n + m and m >= 3) or (0 <= i < n - 3m and m < 3)";
    let text = check_map(
        &format!("[n, m] -> {{ A[i] -> [i, 0] : 0 <= i < 5; B[i] -> [i, 1] : {parts} }}"),
        "{ : }",
        "{ [i, j] -> atomic[0] }",
        -2..6,
    );
    assert_eq!(
        (count(&text, "for ("), count(&text, "A("), count(&text, "B(")),
        (1, 1, 1),
        "{text}"
    );
}

/// Loops with single bounds are cut by the pieces of the bound.
#[test]
fn single_bounds_by_pieces() {
    let options = Options { single_bounds: true, ..Options::STANDARD };
    let schedule = "[n, m] -> { A[i] -> [i, 0] : 0 <= i < n; B[i] -> [i, 1] : 0 <= i < m }";
    let text = check_map_with(&options, schedule, "{ : }", "{ [i, j] -> atomic[0] }", -1..5);
    assert!(!text.contains("max(") && !text.contains("min("), "{text}");
    assert!(!text.contains("if (1)"), "{text}");
}
