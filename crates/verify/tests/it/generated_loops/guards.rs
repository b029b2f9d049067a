//! Where conditions stand, and which are gone.
use super::trace::check_map;
use expect_test::expect;

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

/// The lines with conditions, each with the number of loops around it.
fn conditions(text: &str) -> Vec<(usize, String)> {
    let mut loops: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        loops.retain(|&around| around < indent);
        if line.contains("if (") {
            found.push((loops.len(), line.trim().to_string()));
        }
        if line.trim().starts_with("for (") {
            loops.push(indent);
        }
    }
    found
}

/// Two congruences have common values if their offsets differ by a multiple of 4: asked once, outside.
#[test]
fn strides_with_a_common_value_for_some_parameters() {
    let text = check_map(
        "[n, m] -> { A[i] -> [i] : 0 <= i < 200 and exists (e, f : i = n + 8e and i = m + 12f) }",
        "{ : }",
        "{}",
        -6..7,
    );
    assert_eq!(conditions(&text), [(0, "if ((n - m) % 4 == 0)".to_string())], "{text}");
    assert!(text.contains("c0 += 24)"), "{text}");
}

#[test]
fn three_strides() {
    let text = check_map(
        "[n, m] -> { A[i] -> [i] : 0 <= i < 300 and exists (e, f, g : i = n + 4e and i = m + 6f and i = 2 + 10g) }",
        "{ : }",
        "{}",
        -3..4,
    );
    let found = conditions(&text);
    assert!(!found.is_empty() && found.iter().all(|(loops, _)| *loops == 0), "{text}");
    assert!(text.contains("c0 += 60)"), "{text}");
}

/// What depends on an outer loop stands right inside of it.
#[test]
fn strides_from_an_outer_loop() {
    let text = check_map(
        "[n] -> { A[i, j] -> [i, j] : 0 <= i < 7 and 0 <= j < 90 and exists (e, f : j = i + 6e and j = n + 10f) }",
        "{ : }",
        "{}",
        -2..5,
    );
    assert!(conditions(&text).iter().all(|(loops, _)| *loops <= 1), "{text}");
    assert_eq!(count(&text, "A("), 1, "{text}");
}

/// Two statements in one loop with the same congruences; with others only what is common moves out.
#[test]
fn strides_of_several_statements() {
    let statement = |name: &str, position: u32, offset: &str| {
        format!(
            "{name}[i] -> [i, {position}] : 0 <= i < 100 and exists (e, f : i = n + 6e and i = {offset} + 10f)"
        )
    };
    let schedule = |offset: &str| {
        format!("[n, m, p] -> {{ {}; {} }}", statement("A", 0, "m"), statement("B", 1, offset))
    };
    let text = check_map(&schedule("m"), "{ : }", "{ [i, j] -> atomic[0] }", -2..3);
    assert_eq!(conditions(&text).iter().map(|(loops, _)| *loops).max(), Some(0), "{text}");
    check_map(&schedule("p"), "{ : }", "{ [i, j] -> atomic[0] }", -2..3);
}

/// Congruences that exclude each other leave nothing.
#[test]
fn strides_without_a_common_value() {
    let text = check_map(
        "{ A[i] -> [i] : 0 <= i < 100 and exists (e, f : i = 6e and i = 1 + 10f); B[] -> [0] }",
        "{ : }",
        "{}",
        0..1,
    );
    assert!(!text.contains("A("), "{text}");
}

/// Sums and differences of iterators at different phases: separate loops have no conditions on their
/// statements.
#[test]
fn separated_sums_and_differences() {
    let text = check_map(
        "[n] -> { A[i, j] -> [i - j, i + j, 0] : 0 <= i, j < n; \
         B[i, j] -> [i - j + 1, i + j + 1, 1] : 0 <= i, j < n }",
        "{ : }",
        "{ [i, j, k] -> separate[x] }",
        -1..7,
    );
    assert!(conditions(&text).iter().all(|(loops, _)| *loops <= 1), "{text}");
    assert!(count(&text, "A(") <= 2 && count(&text, "B(") <= 2, "{text}");
}

/// Rows at different rates: where both statements run there is no condition but the congruence.
#[test]
fn separated_rates() {
    let text = check_map(
        "{ A[i] -> [4i, 0] : 2 <= i <= 9; B[i] -> [i, 1] : 1 <= i <= 20 }",
        "{ : }",
        "{ [i, j] -> separate[0] }",
        0..1,
    );
    assert!(text.contains("for (int c0 = 1; c0 <= 7; c0 += 1)\n"), "{text}");
    assert_eq!(count(&text, "if ("), 1, "{text}");
}

/// The bounds of an iterator that its own floor stands beside are not stated of the sum; the code is right
/// all the same.
#[test]
fn separated_sums_with_floors() {
    let text = check_map(
        "[n] -> { A[i] -> [2i + floor(i/3), 0] : 0 <= i < n; B[i] -> [i, 1] : 2 <= i < n }",
        "{ : }",
        "{ [i, j] -> separate[x] }",
        -1..9,
    );
    assert!(text.contains("A(") && text.contains("B("), "{text}");
}

/// A schedule with two pieces: both in one row, not in a loop of two iterations with a choice.
#[test]
fn pieces_of_a_schedule_in_a_row() {
    let text = check_map(
        "[T,N] -> { S[t,i] -> [t,i,0] : 0 <= t < T and 0 <= i < N; \
         S[t,i] -> [t,2N-i-1,1] : 0 <= t < T and N <= i < 2N }",
        "{ : }",
        "{}",
        -1..5,
    );
    expect![[r#"
        for (int c0 = 0; c0 < T; c0 += 1)
          for (int c1 = 0; c1 < N; c1 += 1) {
            S(c0, c1);
            S(c0, 2 * N - c1 - 1);
          }
    "#]]
    .assert_eq(&text);
}

#[test]
fn three_pieces_of_a_schedule_far_apart() {
    let text = check_map(
        "[n] -> { S[i] -> [i,0] : 0 <= i < n; S[i] -> [i-n,70] : n <= i < 2n; S[i] -> [i-2n,-5] : 2n <= i < 3n }",
        "{ : }",
        "{}",
        -1..6,
    );
    assert_eq!((count(&text, "S("), count(&text, "for (")), (3, 1), "{text}");
    assert!(!text.contains('?') && !text.contains("if ("), "{text}");
}

/// Pieces that together are one range need no choice between them.
#[test]
fn pieces_that_make_one_range() {
    let text = check_map(
        "[t] -> { S[i] -> [2, i + 9] : ((i - t) mod 64 = 0 and 0 <= i <= 40) or ((i - t) mod 64 = 0 and 41 <= i <= 50) }",
        "[t] -> { : 0 <= t < 64 }",
        "{ [i, j] -> unroll[x] }",
        0..64,
    );
    assert_eq!((count(&text, "S("), count(&text, "if (")), (1, 1), "{text}");
    assert!(!text.contains('?') && !text.contains("||"), "{text}");
}

/// The last element by its own piece: its coordinate is that of all others.
#[test]
fn a_value_that_is_the_same_in_all_pieces() {
    let text = check_map(
        "[n] -> { S[i, 0] -> [i] : 0 <= i < n - 1; S[n - 1, 1] -> [n - 1] }",
        "[n] -> { : n >= 2 }",
        "{ [i] -> atomic[0] }",
        2..7,
    );
    assert!(text.contains("S(c0, "), "{text}");
}

/// Of several bounds those that others imply, by what holds outside and in the other direction, are gone.
#[test]
fn bounds_that_others_imply() {
    let text = check_map(
        "[n] -> { A[i] -> [2i, 0] : 5 <= i and i >= 3 - 9n and i < n; B[i] -> [i, 1] : n + 6 <= i < 2n }",
        "{ : }",
        "{ [i, j] -> separate[0] }",
        -1..15,
    );
    assert!(!text.contains("3 - 9 * n") && !text.contains("6 - 18 * n"), "{text}");
}
