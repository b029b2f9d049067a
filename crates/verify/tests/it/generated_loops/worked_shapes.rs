//! The shape of the code of the worked examples of Grosser, Verdoolaege, Cohen (TOPLAS 37(4), 2015):
//! which loops, conditions and copies it has; and values of parameters that the examples turn on.
use super::trace::{check_map, check_tree};
use expect_test::expect;

/// How often a part of the text occurs.
fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

/// The lines of a text without what is in front of them.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).collect()
}

/// Section 3, equations (3) and (4): `S1` before all else, then `S3(i - 1)` before the row `i` of `S2`.
#[test]
fn distributed_nest_of_equation_3() {
    let text = check_map(
        "[n] -> { S1[i] -> [0,i,0,0] : 0 <= i < n; S2[i,j] -> [1,i,1,j] : 0 <= j < i and i < n; \
         S3[i] -> [1,i+1,0,0] : 0 <= i < n }",
        "{ : }",
        "{}",
        -2..9,
    );
    assert_eq!(lines(&text)[1..3], ["for (int c1 = 0; c1 < n; c1 += 1)", "S1(c1);"]);
    assert_eq!((count(&text, "S2("), count(&text, "S3(c1 - 1)")), (1, 1), "{text}");
    assert!(text.find("S3(") < text.find("S2("), "{text}");
}

/// Section 5.3: the floor of the iterator is a remainder of a nonnegative number.
#[test]
fn remainder_of_section_5_3() {
    let text =
        check_map("{ S[i] -> [i] : 3*floor((i+1)/3) <= i and 0 <= i <= 3 }", "{ : }", "{}", 0..1);
    expect![[r#"
        for (int c0 = 0; c0 <= 3; c0 += 1)
          if ((c0 + 1) % 3 >= 1)
            S(c0);
    "#]]
    .assert_eq(&text);
}

/// Sections 5.4 and 5.9: strides 6 and 10 make one of 30, for all residues of the offsets.
#[test]
fn combined_strides_of_section_5_4() {
    let text = check_map(
        "[n, m] -> { S[i] -> [i] : exists a, b : 0 <= i <= 100 and n - i + 6a = 0 and m - i + 10b = 0 }",
        "{ : }",
        "{}",
        -11..13,
    );
    assert!(text.contains("c0 <= 100; c0 += 30)"), "{text}");
}

/// Section 5.5: at most one value, so no loop.
#[test]
fn eliminated_loop_of_section_5_5() {
    let text = check_map(
        "[n] -> { S[i] -> [i] : i >= 1 and n - 1 <= i <= n and 4*floor((i-2)/4) = i - 2 }",
        "{ : }",
        "{}",
        -9..30,
    );
    assert!(!text.contains("for (") && text.starts_with("if (n >= 2 && "), "{text}");
}

/// Section 5.7: the offset of the stride is an exact half, odd parameters have no iteration.
#[test]
fn exact_half_of_a_parameter_of_section_5_7() {
    let text = check_map(
        "[n] -> { S[t] -> [t] : exists a : 2t - n = 4a and 0 <= t <= 100 }",
        "{ : }",
        "{}",
        -21..22,
    );
    assert!(text.starts_with("if (n % 2 == 0)\n  for (int c0 = n / 2 "), "{text}");
    assert!(text.contains("c0 <= 100; c0 += 2)"), "{text}");
}

/// Section 5.8 in order for all `M`, and example 5.11: no condition in the loop if separated.
#[test]
fn atomic_and_separate_loops_of_section_5_8() {
    let schedule = "[M] -> { S1[i] -> [i,0] : 0 <= i <= M; S2[] -> [0,1] }";
    check_map(schedule, "{ : }", "[M] -> { [i,j] -> atomic[0] }", -4..9);
    let text = check_map(schedule, "{ : }", "[M] -> { [i,j] -> separate[0] }", -4..9);
    let tail = "  for (int c0 = 1; c0 <= M; c0 += 1)\n    S1(c0);\n}\n";
    assert!(text.contains("S1(0);") && text.ends_with(tail), "{text}");
}

/// Example 5.13 where the other bound matters: still four copies, not a thousand.
#[test]
fn unrolled_window_of_example_5_13() {
    let text = check_map(
        "[N] -> { S[i] -> [i] : 0 <= i < 1000 and N <= i < N + 4 }",
        "{ : }",
        "[N] -> { [i] -> unroll[0] }",
        994..1003,
    );
    assert_eq!((count(&text, "S("), count(&text, "for (")), (4, 0), "{text}");
}

/// Example 5.14: partial tiles before and after, full tiles, and what has no full tile.
#[test]
fn isolated_tiles_of_example_5_14() {
    let text = check_tree(
        r#"{ domain: "[m,n] -> { S[i] : m <= i < n }", child: {
             schedule: "[{ S[i] -> [4*floor(i/4)] }, { S[i] -> [i] }]",
             options: "[m,n] -> { isolate[[] -> [t,x]] : m <= t and t + 3 < n }" } }"#,
        "{ : }",
        -9..17,
    );
    let full = "c0 <= n - 4; c0 += 4)\n    for (int c1 = c0; c1 <= c0 + 3; c1 += 1)\n";
    assert!(text.contains(full), "{text}");
    assert_eq!(count(&text, "S("), 4, "{text}");
}

/// Example 5.15; without the context there is more than full tiles and the rest behind them.
#[test]
fn isolated_tiles_of_example_5_15() {
    let tree = r#"{ domain: "[n,m] -> { S[i,j] : 0 <= i < n and 0 <= j < m }", child: {
             schedule: "[{ S[i,j] -> [3*floor(i/3)] }, { S[i,j] -> [4*floor(j/4)] }, { S[i,j] -> [i] }, { S[i,j] -> [j] }]",
             options: "[n,m] -> { isolate[[] -> [t1,t2,x,y]] : 0 <= t1 and t1 + 2 < n and 0 <= t2 and t2 + 3 < m }" } }"#;
    let text = check_tree(tree, "[n,m] -> { : n > 2 and m > 3 }", 1..14);
    assert!(!text.contains("if ("), "{text}");
    assert_eq!(count(&text, "S("), 3, "{text}");
    let text = check_tree(tree, "{ : }", -1..10);
    assert!(count(&text, "S(") > 3, "{text}");
}

/// Example 5.16 as trees: a sequence against the order of the band needs one loop, a set does not.
#[test]
fn sequences_and_sets_of_example_5_16() {
    let tree = |children: &str| {
        format!(
            r#"{{ domain: "{{ A[]; B[i] : 0 <= i < 10 }}", child: {{
                 schedule: "[{{ A[] -> [0]; B[i] -> [i] }}]", child: {{ {children} }} }} }}"#
        )
    };
    let order = r#"sequence: [ { filter: "{ B[i] }" }, { filter: "{ A[] }" } ]"#;
    let text = check_tree(&tree(order), "{ : }", 0..1);
    expect![[r#"
        for (int c0 = 0; c0 <= 9; c0 += 1) {
          B(c0);
          if (c0 == 0)
            A();
        }
    "#]]
    .assert_eq(&text);
    let set = r#"set: [ { filter: "{ A[] }" }, { filter: "{ B[i] }" } ]"#;
    let text = check_tree(&tree(set), "{ : }", 0..1);
    expect![[r#"
        {
          A();
          for (int c0 = 0; c0 <= 9; c0 += 1)
            B(c0);
        }
    "#]]
    .assert_eq(&text);
}

/// Figure 8: no conditions, and `S2` beyond `n` in a loop of its own.
#[test]
fn youcefn_separated_of_figure_8() {
    let text = check_tree(
        r#"{ domain: "[n,m] -> { S0[i,i] : 1 <= i <= n; S1[i,j] : 1 <= i <= n and i <= j <= n; S2[i,n] : 1 <= i <= m }",
             child: { schedule: "[{ S0[i,j] -> [i]; S1[i,j] -> [i]; S2[i,j] -> [i] }, { S0[i,j] -> [j]; S1[i,j] -> [j]; S2[i,j] -> [j] }]",
             options: "{ separate[x] }",
             child: { sequence: [ { filter: "{ S0[i,j] }" }, { filter: "{ S1[i,j] }" }, { filter: "{ S2[i,j] }" } ] } } }"#,
        "[n,m] -> { : n >= 2 and m >= n }",
        1..9,
    );
    expect![[r#"
        {
          for (int c0 = 1; c0 <= n; c0 += 1) {
            S0(c0, c0);
            for (int c1 = c0; c1 <= n; c1 += 1)
              S1(c0, c1);
            S2(c0, n);
          }
          for (int c0 = n + 1; c0 <= m; c0 += 1)
            S2(c0, n);
        }
    "#]]
    .assert_eq(&text);
}

/// Section 8: at most two copies of each statement, and no remainders.
#[test]
fn darte_in_two_copies_of_each_statement() {
    let domain = "1 <= i <= n and 1 <= j <= n and 1 <= k <= n";
    let tree = format!(
        r#"{{ domain: "[n] -> {{ S1[i,j,k] : {domain}; S2[i,j,k] : {domain} }}", child: {{
             schedule: "[{{ S1[i,j,k] -> [(i - j)]; S2[i,j,k] -> [(1 + i - j)] }}, {{ S1[i,j,k] -> [(i + j)]; S2[i,j,k] -> [(2 + i + j)] }}, {{ S1[i,j,k] -> [(i + j + 2k)]; S2[i,j,k] -> [(k)] }}]",
             options: "{{ separate[x] }}" }} }}"#
    );
    let text = check_tree(&tree, "{ : }", -1..7);
    assert!(count(&text, "S1(") <= 2 && count(&text, "S2(") <= 2, "{text}");
    assert!(!text.contains('%'), "{text}");
}

/// Figure 9: `shifted` and `conditional`.
#[test]
fn values_by_remainders_of_figure_9() {
    let schedule =
        |last: i64| format!("[t1] -> {{ S[i] -> [i] : 7 <= i <= {last} and i mod 128 = t1 }}");
    let context = "[t1] -> { : 0 <= t1 < 128 }";
    let text = check_map(&schedule(134), context, "{}", 0..128);
    assert_eq!(text, "S((t1 + 121) % 128 + 7);\n");
    let text = check_map(&schedule(130), context, "{}", 0..128);
    assert_eq!(text, "if ((t1 + 121) % 128 <= 123)\n  S((t1 + 121) % 128 + 7);\n");
}

/// Figure 10: every value but 1.
#[test]
fn two_existentials_of_figure_10_unrolled() {
    let text = check_map(
        "{ S[i] -> [i] : exists a, b : i = 2a + 3b and 0 <= a < 3 and 0 <= b and 0 <= i < 8 }",
        "{ : }",
        "{ [i] -> unroll[0] }",
        0..1,
    );
    let values = ["S(0);", "S(2);", "S(3);", "S(4);", "S(5);", "S(6);", "S(7);"];
    assert_eq!(lines(&text)[1..8], values, "{text}");
}

/// Figure 10, for all values of the context: four statements, two of them under a condition.
#[test]
fn multiple_bounds_of_figure_10_unrolled() {
    let schedule = "[t1,t2] -> { S[i,j] -> [i,j] : exists a, b : 0 <= i <= 1 and t1 = j + 128a and \
                    0 <= j + 2b < 128 and 510 <= t2 + 2b <= 514 and 0 <= 2b - t2 <= 5 }";
    let context = "[t1,t2] -> { : 125 <= t1 <= 127 and 254 <= t2 < 257 }";
    let text = check_map(schedule, context, "{ [i,j] -> unroll[x] }", 125..257);
    assert_eq!((count(&text, "S("), count(&text, "if (")), (4, 2), "{text}");
    assert_eq!(count(&text, "if (t1 >= 126)"), 2, "{text}");
}

/// Figure 5 gives the original program; figure 6 is one component in the order of its sequence.
#[test]
fn trees_of_figures_5_and_6() {
    let domain =
        "[n] -> { S1[i] : 0 <= i < n; S2[i,j] : 0 <= j < i and i < n; S3[i] : 0 <= i < n }";
    let text = check_tree(
        &format!(
            r#"{{ domain: "{domain}",
             child: {{ schedule: "[{{ S1[i] -> [i]; S2[i,j] -> [i]; S3[i] -> [i] }}]", child: {{ sequence: [
               {{ filter: "{{ S1[i] }}" }},
               {{ filter: "{{ S2[i,j] }}", child: {{ schedule: "[{{ S2[i,j] -> [j] }}]" }} }},
               {{ filter: "{{ S3[i] }}" }} ] }} }} }}"#
        ),
        "{ : }",
        -1..9,
    );
    expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1) {
          S1(c0);
          for (int c1 = 0; c1 < c0; c1 += 1)
            S2(c0, c1);
          S3(c0);
        }
    "#]]
    .assert_eq(&text);
    check_tree(
        &format!(
            r#"{{ domain: "{domain}",
             child: {{ schedule: "[{{ S1[i] -> [0]; S2[i,j] -> [j]; S3[i] -> [i] }}, {{ S1[i] -> [i]; S2[i,j] -> [i]; S3[i] -> [i] }}]",
             child: {{ sequence: [ {{ filter: "{{ S1[i] }}" }}, {{ filter: "{{ S3[i] }}" }}, {{ filter: "{{ S2[i,j] }}" }} ] }} }} }}"#
        ),
        "{ : }",
        -1..9,
    );
}

/// Triangular tiles: the full ones, `c0 + c1 <= 8`, are unrolled by 10.
#[test]
fn full_triangular_tiles_are_unrolled() {
    let text = check_tree(
        r#"{ domain: "{ A[i,j] : 0 <= i,j and i + j <= 100 }", child: {
             schedule: "[{ A[i,j] -> [floor(i/10)] }, { A[i,j] -> [floor(j/10)] }, { A[i,j] -> [i] }, { A[i,j] -> [j] }]",
             options: "{ isolate[[] -> [a,b,c,d]] : 0 <= 10a,10b and 10a+9+10b+9 <= 100; [isolate[] -> unroll[3]] }" } }"#,
        "{ : }",
        0..1,
    );
    assert!(text.contains("c0 <= 8;") && text.contains("c1 <= 8 - c0;"), "{text}");
    assert_eq!(count(&text, "A(c2, 10 * c1"), 10, "{text}");
}
