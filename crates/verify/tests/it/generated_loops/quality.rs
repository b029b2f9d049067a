//! Code that should have no loops of one iteration, no divisions that cancel, and no conditions that
//! can be left out; the traces are compared with the schedule as well.
use super::trace::{check_map, check_tree};
use expect_test::expect;

fn expect(schedule: &str, settings: &str, expected: &str) {
    let text = check_map(schedule, "{ : }", settings, -1..12);
    assert_eq!(text, expected);
}

/// No loop is inside of the one over `j`, as the third dimension has a single value: so no bound with a
/// floor is left for a condition.
#[test]
fn bounds_of_the_innermost_loop_are_exact() {
    let schedule = "[n] -> { S[i, j] -> [i, j, j] : exists e : 64e <= 40 + i and 64e >= i - 23 \
                    and 0 <= i < n and 0 <= j <= 90 and 32e >= j }";
    let expected = "\
for (int c0 = 0; c0 < n; c0 += 1)
  for (int c1 = 0; c1 <= min(90, 32 * ((c0 + 40) / 64)); c1 += 1)
    S(c0, c1);
";
    expect(schedule, "{ }", expected);
}

/// `t = 2 i - 2 c0`, a multiple by means of another dimension.
#[test]
fn multiples_by_way_of_outer_dimensions_are_scaled() {
    let expected = "\
for (int c0 = -4; c0 <= 5; c0 += 1) {
  if (c0 >= 1)
    B(c0, 1);
  for (int c1 = max(1, 1 - c0); c1 <= min(4, 5 - c0); c1 += 1) {
    A(c0 + c1, c1);
    B(c0 + c1, c1 + 1);
  }
  if (c0 <= 0)
    A(c0 + 5, 5);
}
";
    let schedule = "{ A[i, j] -> [i - j, 2j] : 1 <= i, j <= 5; \
                    B[i, j] -> [1 + i - j, 2j - 1] : 1 <= i, j <= 5 }";
    expect(schedule, "{ [i, j] -> separate[1] }", expected);
}

/// A multiple by way of an inner dimension has different forms in different pieces, but a value in
/// each: to scale it again and again would never end.
#[test]
fn values_are_not_scaled() {
    let schedule = "[n] -> { S[i, j] -> [i + j, 3 - j, 2i] : -1 <= i <= 2 and j = 2 and i != 1; \
                    T[i, j] -> [i + j, 2i, i] : -1 <= i <= 2 and 0 <= j <= 3 and i + j <= n + 2 }";
    check_map(schedule, "{ : }", "{ }", -1..4);
}

#[test]
fn isolated_parts_are_scaled() {
    let tree = "\
domain: \"{ A[i] : 0 <= i < 40 }\"
child:
  schedule: \"[{ A[i] -> [5i] }]\"
  options: \"{ isolate[[] -> [x]] : 12 <= x <= 31 }\"
";
    let text = check_tree(tree, "{ : }", 0..1);
    expect![[r#"
        {
          for (int c0 = 0; c0 <= 2; c0 += 1)
            A(c0);
          for (int c0 = 3; c0 <= 6; c0 += 1)
            A(c0);
          for (int c0 = 7; c0 <= 39; c0 += 1)
            A(c0);
        }
    "#]]
    .assert_eq(&text);
}

/// With `c0 = 1 + 12 k` the value `c0` has the right residue.
#[test]
fn congruences_of_outer_loops_simplify_the_first_values_of_inner_ones() {
    let expected = "\
for (int c0 = 1; c0 <= n; c0 += 12)
  for (int c1 = c0; c1 <= n; c1 += 8)
    S(c0, c1);
";
    let schedule = "[n] -> { S[i, j] -> [i, j] : exists a, b : i = 1 + 12a and 3j = 2 + i + 24b \
                    and 1 <= i <= j <= n }";
    let text = check_map(schedule, "{ : }", "{ }", 0..40);
    assert_eq!(text, expected);
}

#[test]
fn equalities_of_integer_points_are_found() {
    let schedule = "{ S[i] -> [t, x] : exists a, b : 32a = i - x and 32b = t and 0 <= x <= 31 \
                    and 0 <= i - t <= 31 and 0 <= i < 50 }";
    let expected = "\
for (int c0 = 0; c0 <= 49; c0 += 32)
  for (int c1 = 0; c1 <= min(31, 49 - c0); c1 += 1)
    S(c0 + c1);
";
    expect(schedule, "{ }", expected);
}

#[test]
fn variables_that_make_no_difference_are_left_out_of_conditions() {
    let schedule = "[a, b] -> { S[] -> [0] : 0 <= a <= 2 and a + 3b >= 6 }";
    expect(schedule, "{ }", "if (a >= 0 && a <= 2 && b >= 2)\n  S();\n");
}

/// A floor whose fraction makes no difference where the code stands.
#[test]
fn conditions_with_floors_that_need_none() {
    let schedule = "[h] -> { S[i] -> [i] : exists e = floor((31 + 32h - i)/64) : 0 <= h <= 93 \
                    and 64e >= -31 + 32h - i and 0 <= i <= 999 and 32e >= -999 + 32h - i \
                    and i >= -2015 + 32h }";
    let text = check_map(schedule, "[h] -> { : 0 <= h <= 93 }", "{ }", 60..70);
    assert!(!text.contains("floord") && !text.contains(" / "), "{text}");
}

#[test]
fn what_both_branches_share_stands_outside() {
    let schedule = "{ S[i, j] -> [i, j] : 4 <= i <= 8 and i + j = 9; \
                    T[i, j] -> [i, j] : i + j = 9 and 4 <= i <= 5 }";
    let text = check_map(schedule, "{ : }", "{ }", 0..1);
    assert!(!text.contains("else"), "{text}");
    let tree = "\
domain: \"{ A[i, j] : 0 <= i, j < 9 }\"
child:
  schedule: \"[{ A[i, j] -> [i] }]\"
  child:
    schedule: \"[{ A[i, j] -> [j] }]\"
    options: \"{ isolate[[x] -> [y]] : 2 <= x <= 4 }\"
";
    let text = check_tree(tree, "{ : }", 0..1);
    assert!(!text.contains("if"), "{text}");
}

/// The slices of an unrolled dimension start at its stride's offset if that takes no more of them.
#[test]
fn slices_start_at_the_offset_of_the_stride() {
    let schedule = "[t, u] -> { S[j] -> [j] : exists a, b : t = j + 128a and 0 <= j + 2b < 128 \
                    and 510 <= u + 2b <= 514 and 0 <= 2b - u <= 5 }";
    let context = "[t, u] -> { : 125 <= t <= 127 and 254 <= u < 257 }";
    let settings = "{ [j] -> unroll[0] }";
    let text = check_map(schedule, context, settings, 125..128);
    assert!(!text.contains(" / ") && !text.contains('%'), "{text}");
}
