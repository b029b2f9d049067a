//! The worked examples of Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than
//! scanning polyhedra" (TOPLAS 37(4), 2015), by section; checked by running the code.
use super::trace;
use super::trace::{check_map, check_tree};
use expect_test::expect;
use loopwright_astgen::{Options, generate_from_map};
use loopwright_presburger::{Budget, Set, UnionMap};

#[test]
fn imperfect_nest_of_section_3() {
    let text = check_map(
        "[n] -> { S1[i] -> [i,0,0] : 0 <= i < n; S2[i,j] -> [i,1,j] : 0 <= j < i and i < n; \
         S3[i] -> [i,2,0] : 0 <= i < n }",
        "{ : }",
        "{}",
        -1..7,
    );
    expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1) {
          S1(c0);
          for (int c2 = 0; c2 < c0; c2 += 1)
            S2(c0, c2);
          S3(c0);
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn distributed_nest_of_section_3() {
    check_map(
        "[n] -> { S1[i] -> [0,i,0,0] : 0 <= i < n; S2[i,j] -> [1,i,1,j] : 0 <= j < i and i < n; \
         S3[i] -> [1,i+1,0,0] : 0 <= i < n }",
        "{ : }",
        "{}",
        -1..7,
    );
}

#[test]
fn nested_bounds_need_no_condition() {
    let text = check_map(
        "[m, n] -> { S[i,j] -> [i,j] : 0 <= i < m and 0 <= j < n }",
        "{ : }",
        "{}",
        -1..5,
    );
    expect![[r#"
        for (int c0 = 0; c0 < m; c0 += 1)
          for (int c1 = 0; c1 < n; c1 += 1)
            S(c0, c1);
    "#]]
    .assert_eq(&text);
}

#[test]
fn rectangular_tiles() {
    let text = check_map(
        "[n, m] -> { A[i,j] -> [floor(i/4), floor(j/4), i, j] : 0 <= i < n and 0 <= j < m }",
        "{ : }",
        "{}",
        -1..11,
    );
    expect![[r#"
        for (int c0 = 0; c0 <= floord(n - 1, 4); c0 += 1)
          for (int c1 = 0; c1 <= floord(m - 1, 4); c1 += 1)
            for (int c2 = 4 * c0; c2 < min(n, 4 * c0 + 4); c2 += 1)
              for (int c3 = 4 * c1; c3 < min(m, 4 * c1 + 4); c3 += 1)
                A(c2, c3);
    "#]]
    .assert_eq(&text);
}

#[test]
fn scaled_tiles() {
    let text =
        check_map("[n] -> { A[i] -> [4*floor(i/4), i] : 0 <= i < n }", "{ : }", "{}", -1..14);
    expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 4)
          for (int c1 = c0; c1 < min(n, c0 + 4); c1 += 1)
            A(c1);
    "#]]
    .assert_eq(&text);
}

#[test]
fn projection_with_quantifiers() {
    check_map(
        "[N] -> { B[t] -> [t] : exists a : a >= -1 + t and 2a >= 1 + t and a <= t and 4a <= N + 2t }",
        "{ : }",
        "{}",
        -3..12,
    );
}

#[test]
fn floor_of_the_iterator() {
    check_map("{ S[i] -> [i] : 3*floor((i+1)/3) <= i and 0 <= i <= 3 }", "{ : }", "{}", 0..1);
}

#[test]
fn two_strides() {
    check_map(
        "[n, m] -> { S[i] -> [i] : exists a, b : 0 <= i <= 100 and n - i + 6a = 0 and m - i + 10b = 0 }",
        "{ : }",
        "{}",
        -3..8,
    );
}

#[test]
fn eliminated_loop_with_a_stride() {
    check_map(
        "[n] -> { S[i] -> [i] : i >= 1 and n - 1 <= i <= n and 4*floor((i-2)/4) = i - 2 }",
        "{ : }",
        "{}",
        -5..20,
    );
}

#[test]
fn offset_that_is_half_a_parameter() {
    check_map(
        "[n] -> { S[t] -> [t] : exists a : 2t - n = 4a and 0 <= t <= 100 }",
        "{ : }",
        "{}",
        -9..9,
    );
}

#[test]
fn atomic_loop_without_common_upper_bound() {
    let schedule = "[M] -> { S1[i] -> [i,0] : 0 <= i <= M; S2[] -> [0,1] }";
    check_map(schedule, "{ : }", "[M] -> { [i,j] -> atomic[0] }", -3..6);
    check_map(schedule, "{ : }", "[M] -> { [i,j] -> separate[0] }", -3..6);
    check_map(schedule, "{ : }", "{}", -3..6);
}

#[test]
fn unrolled_stride() {
    let text = check_map(
        "{ S[i] -> [i] : 0 <= i < 1024 and i mod 256 = 0 }",
        "{ : }",
        "{ [i] -> unroll[0] }",
        0..1,
    );
    assert_eq!(text, "{\n  S(0);\n  S(256);\n  S(512);\n  S(768);\n}\n");
}

/// Only values that exist make a copy, so that parts may lie far from each other.
#[test]
fn unrolled_parts_far_apart() {
    let schedule = "{ A[i] -> [i] : 0 <= i <= 2 or 1000000000 <= i <= 1000000001 }";
    let schedule = UnionMap::parse(schedule).expect("a schedule");
    let (universe, options) = (Set::parse("{ : }"), UnionMap::parse("{ [i] -> unroll[0] }"));
    let (universe, options) = (universe.expect("a set"), options.expect("options"));
    let standard = Options::STANDARD;
    let budget = Budget::steps(1_000_000);
    let ast = generate_from_map(&schedule, &universe, &options, &standard, &budget);
    let calls = "A(0);\nA(1);\nA(2);\nA(1000000000);\nA(1000000001);";
    let printed: Vec<String> =
        ast.expect("code").to_string().lines().map(|line| line.trim().to_string()).collect();
    assert_eq!(printed[1..printed.len() - 1].join("\n"), calls);
}

#[test]
fn unrolling_picks_the_bound_with_the_fewest_copies() {
    let text = check_map(
        "[N] -> { S[i] -> [i] : 0 <= i < 1000 and N <= i < N + 4 }",
        "{ : }",
        "[N] -> { [i] -> unroll[0] }",
        -6..8,
    );
    assert_eq!(text.matches("S(").count(), 4, "{text}");
}

#[test]
fn isolated_full_tiles() {
    check_tree(
        r#"{ domain: "[m,n] -> { S[i] : m <= i < n }", child: {
             schedule: "[{ S[i] -> [4*floor(i/4)] }, { S[i] -> [i] }]",
             options: "[m,n] -> { isolate[[] -> [t,x]] : m <= t and t + 3 < n }" } }"#,
        "{ : }",
        -5..12,
    );
}

#[test]
fn isolated_full_tiles_in_two_dimensions() {
    check_tree(
        r#"{ domain: "[n,m] -> { S[i,j] : 0 <= i < n and 0 <= j < m }", child: {
             schedule: "[{ S[i,j] -> [3*floor(i/3)] }, { S[i,j] -> [4*floor(j/4)] }, { S[i,j] -> [i] }, { S[i,j] -> [j] }]",
             options: "[n,m] -> { isolate[[] -> [t1,t2,x,y]] : 0 <= t1 and t1 + 2 < n and 0 <= t2 and t2 + 3 < m }" } }"#,
        "[n,m] -> { : n > 2 and m > 3 }",
        1..10,
    );
}

#[test]
fn components_of_a_point_and_a_range() {
    let text = check_map("{ S0[] -> [0]; S1[i] -> [i] : 0 <= i < 10 }", "{ : }", "{}", 0..1);
    expect![[r#"
        {
          S0();
          for (int c0 = 0; c0 <= 9; c0 += 1)
            S1(c0);
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn shifted_strides() {
    let schedule = "{ A[i] -> [2i] : 0 <= i < 10; B[i] -> [2i+1] : 0 <= i < 10 }";
    check_map(schedule, "{ : }", "{}", 0..1);
}

#[test]
fn strided_statements_of_figure_7() {
    let schedule = "[n] -> { S0[i] -> [i] : exists a : 1 <= i <= n and i = 4a; \
                    S1[i] -> [i] : exists a : 1 <= i <= n and i = 4a + 2 }";
    check_map(schedule, "{ : }", "{}", -1..20);
    check_map(schedule, "{ : }", "[n] -> { [i] -> separate[0] }", -1..20);
}

#[test]
fn youcefn_of_figure_8() {
    let tree = |options: &str| {
        format!(
            r#"{{ domain: "[n,m] -> {{ S0[i,i] : 1 <= i <= n; S1[i,j] : 1 <= i <= n and i <= j <= n; S2[i,n] : 1 <= i <= m }}",
              child: {{ schedule: "[{{ S0[i,j] -> [i]; S1[i,j] -> [i]; S2[i,j] -> [i] }}, {{ S0[i,j] -> [j]; S1[i,j] -> [j]; S2[i,j] -> [j] }}]"{options},
              child: {{ sequence: [ {{ filter: "{{ S0[i,j] }}" }}, {{ filter: "{{ S1[i,j] }}" }}, {{ filter: "{{ S2[i,j] }}" }} ] }} }} }}"#
        )
    };
    check_tree(&tree(""), "[n,m] -> { : n >= 2 and m >= n }", 1..7);
    let separate = r#", options: "{ separate[x] }""#;
    check_tree(&tree(separate), "[n,m] -> { : n >= 2 and m >= n }", 1..7);
}

#[test]
fn single_value_by_remainder() {
    let text =
        check_map("[n] -> { S[i] -> [i] : i = n mod 128 }", "[n] -> { : n >= 0 }", "{}", 0..300);
    assert_eq!(text, "S(n % 128);\n");
}

#[test]
fn single_value_by_shifted_remainder() {
    check_map(
        "[t1] -> { S[i] -> [i] : 7 <= i <= 134 and i mod 128 = t1 }",
        "[t1] -> { : 0 <= t1 < 128 }",
        "{}",
        0..128,
    );
    check_map(
        "[t1] -> { S[i] -> [i] : 7 <= i <= 130 and i mod 128 = t1 }",
        "[t1] -> { : 0 <= t1 < 128 }",
        "{}",
        0..128,
    );
}

#[test]
fn two_existentials() {
    let schedule =
        "{ S[i] -> [i] : exists a, b : i = 2a + 3b and 0 <= a < 3 and 0 <= b and 0 <= i < 8 }";
    check_map(schedule, "{ : }", "{}", 0..1);
    check_map(schedule, "{ : }", "{ [i] -> unroll[0] }", 0..1);
}

#[test]
fn piecewise_schedule() {
    check_map(
        "[T,N] -> { S[t,i] -> [t,i,0] : 0 <= t < T and 0 <= i < N; \
         S[t,i] -> [t,2N-i-1,1] : 0 <= t < T and N <= i < 2N }",
        "{ : }",
        "{}",
        -1..5,
    );
}

#[test]
fn tree_of_figure_5() {
    check_tree(
        r#"{ domain: "[n] -> { S1[i] : 0 <= i < n; S2[i,j] : 0 <= j < i and i < n; S3[i] : 0 <= i < n }",
             child: { schedule: "[{ S1[i] -> [i]; S2[i,j] -> [i]; S3[i] -> [i] }]", child: { sequence: [
               { filter: "{ S1[i] }" },
               { filter: "{ S2[i,j] }", child: { schedule: "[{ S2[i,j] -> [j] }]" } },
               { filter: "{ S3[i] }" } ] } } }"#,
        "{ : }",
        -1..7,
    );
}

#[test]
fn tree_of_figure_6() {
    check_tree(
        r#"{ domain: "[n] -> { S1[i] : 0 <= i < n; S2[i,j] : 0 <= j < i and i < n; S3[i] : 0 <= i < n }",
             child: { schedule: "[{ S1[i] -> [0]; S2[i,j] -> [j]; S3[i] -> [i] }, { S1[i] -> [i]; S2[i,j] -> [i]; S3[i] -> [i] }]",
             child: { sequence: [ { filter: "{ S1[i] }" }, { filter: "{ S3[i] }" }, { filter: "{ S2[i,j] }" } ] } } }"#,
        "{ : }",
        -1..7,
    );
}

#[test]
fn two_strided_dimensions() {
    let text = check_map(
        "[n] -> { s0[i,j] -> [i,j] : exists a, b : 1 <= i <= n and i <= j <= n and i = 1 + 4a and j = i + 3b }",
        "{ : }",
        "{}",
        -1..16,
    );
    expect![[r#"
        for (int c0 = 1; c0 <= n; c0 += 4)
          for (int c1 = c0; c1 <= n; c1 += 3)
            s0(c0, c1);
    "#]]
    .assert_eq(&text);
}

#[test]
fn cyclic_order_of_pieces() {
    let schedule = "[p,q] -> { A[x] -> [x] : p = 0 and 0 <= q <= 2 and x = q; \
                    B[x] -> [x] : q = 0 and 0 <= p <= 2 and x = 2 - p; \
                    C[x] -> [x] : p + q = 2 and 0 <= p <= 2 and x = p }";
    check_map(schedule, "{ : }", "{}", -1..4);
    check_map(schedule, "{ : }", "[p,q] -> { [x] -> separate[0] }", -1..4);
}

#[test]
fn schedules_that_order_nothing() {
    check_map("[n] -> { S[i,j] -> [0] : 0 <= i < n and 0 <= j < i }", "{ : }", "{}", -1..6);
    check_map("[n] -> { S[i,j] -> [i+j] : 0 <= i < n and 0 <= j < n }", "{ : }", "{}", -1..6);
}

#[test]
fn conditions_with_else_of_section_5() {
    let text = check_map(
        "[l, u, n] -> { s0[i,j] -> [i,j,0,0] : l <= i <= u and i + 1 <= j <= n and 1 <= i; \
         s3[i,j] -> [i,j,1,0] : 1 <= i <= u and i <= j <= n and i < l; \
         s2[i,j] -> [i,j,2,0] : 1 <= i <= u and l <= i and i + 1 <= j <= n and u < n; \
         s1[i,j,k] -> [i,j,3,k] : 1 <= i <= u and i <= j <= n and l <= k <= u and i <= k }",
        "[l, u, n] -> { : 1 <= l <= u <= n }",
        "{}",
        1..6,
    );
    let expected = "\
    if (c0 >= l && c1 > c0) {
      s0(c0, c1);
      if (n > u)
        s2(c0, c1);
    } else if (c0 < l)
      s3(c0, c1);
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn multiple_bounds_of_figure_10() {
    let schedule = "[t1,t2] -> { S[i,j] -> [i,j] : exists a, b : 0 <= i <= 1 and t1 = j + 128a and \
                    0 <= j + 2b < 128 and 510 <= t2 + 2b <= 514 and 0 <= 2b - t2 <= 5 }";
    let tree = |options: &str| {
        let domain = schedule.replace("S[i,j] -> [i,j]", "S[i,j]");
        format!(
            r#"{{ domain: "{domain}", child: {{ context: "[t1,t2] -> {{ [] : 125 <= t1 <= 127 and 254 <= t2 < 257 }}",
                 child: {{ schedule: "[{{ S[i,j] -> [i] }}, {{ S[i,j] -> [j] }}]"{options} }} }} }}"#
        )
    };
    for options in ["", r#", options: "{ unroll[x] }""#] {
        for (t1, t2) in [(125, 254), (125, 256), (126, 255), (127, 254), (127, 256)] {
            let context = format!("[t1,t2] -> {{ : t1 = {t1} and t2 = {t2} }}");
            let tree = loopwright_schedule::ScheduleTree::parse(&tree(options)).expect("a tree");
            let known = loopwright_presburger::Set::parse(&context).expect("a context");
            let budget = loopwright_presburger::Budget::unlimited();
            let standard = loopwright_astgen::Options::STANDARD;
            let ast = loopwright_astgen::generate(&tree, &known, &standard, &budget).expect("code");
            let schedule = tree.flatten().expect("a flat schedule");
            trace::check_trace(&ast, &schedule, &[("t1", t1), ("t2", t2)], false);
        }
    }
}

#[test]
fn darte() {
    let domain = "1 <= i <= n and 1 <= j <= n and 1 <= k <= n";
    let tree = format!(
        r#"{{ domain: "[n] -> {{ S1[i,j,k] : {domain}; S2[i,j,k] : {domain} }}", child: {{
             schedule: "[{{ S1[i,j,k] -> [(i - j)]; S2[i,j,k] -> [(1 + i - j)] }}, {{ S1[i,j,k] -> [(i + j)]; S2[i,j,k] -> [(2 + i + j)] }}, {{ S1[i,j,k] -> [(i + j + 2k)]; S2[i,j,k] -> [(k)] }}]",
             options: "{{ separate[x] }}" }} }}"#
    );
    check_tree(&tree, "{ : }", -1..5);
}

#[test]
fn triangular_tiles_unrolled_where_they_are_full() {
    check_tree(
        r#"{ domain: "{ A[i,j] : 0 <= i,j and i + j <= 100 }", child: {
             schedule: "[{ A[i,j] -> [floor(i/10)] }, { A[i,j] -> [floor(j/10)] }, { A[i,j] -> [i] }, { A[i,j] -> [j] }]",
             options: "{ isolate[[] -> [a,b,c,d]] : 0 <= 10a,10b and 10a+9+10b+9 <= 100; [isolate[] -> unroll[3]] }" } }"#,
        "{ : }",
        0..1,
    );
}

#[test]
fn scaled_and_shifted_statements_share_loops() {
    let text = check_map(
        "{ A[i] -> [2i] : 0 <= i < 10; B[i] -> [2i+1] : 0 <= i < 10 }",
        "{ : }",
        "{}",
        0..1,
    );
    expect![[r#"
        for (int c0 = 0; c0 <= 9; c0 += 1) {
          A(c0);
          B(c0);
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn statements_at_two_phases_have_no_conditions_in_the_loop() {
    let text = check_map(
        "[n] -> { A[i] -> [3i, 0] : 0 <= i < n; B[i] -> [3i + 4, 1] : 0 <= i < n; C[] -> [2, 0] }",
        "{ : }",
        "[n] -> { [i, j] -> separate[0] }",
        -1..8,
    );
    assert!(!text.contains('%'), "{text}");
}

#[test]
fn types_of_loops_for_a_part_of_the_values_leave_no_overlap() {
    check_map(
        "{ S0[i] -> [t0, t1] : -1 <= i <= 2 and t0 = 3*floor(i/3) and t1 = 3*i; \
         S2[i, j] -> [t0, t1] : 0 <= i < 2 and 1 <= j <= 2 and 3*floor((i + 2)/3) <= j and \
         t0 = i + j - 2 and t1 = i + j; \
         S2[i, j] -> [t0, t1] : 2 <= i <= 8 and 0 <= j <= 3 and t0 = i and t1 = i }",
        "{ : }",
        "{ [t0, t1] -> separate[0] : t0 >= 2 }",
        0..1,
    );
}

#[test]
fn atomic_loops_are_not_bounded_by_the_range_of_a_type() {
    let text = check_map(
        "[n] -> { A[i] -> [i] : 0 <= i <= 9; B[] -> [n] }",
        "[n] -> { : -2147483648 <= n <= 2147483647 }",
        "[n] -> { [i] -> atomic[0] }",
        -4..13,
    );
    assert!(!text.contains("214748"), "{text}");
}

#[test]
fn phases_of_figure_7_share_the_first_value() {
    let text = check_map(
        "[n] -> { S0[i] -> [i] : exists a : 1 <= i <= n and i = 4a; \
         S1[i] -> [i] : exists a : 1 <= i <= n and i = 4a + 2 }",
        "{ : }",
        "[n] -> { [i] -> separate[0] }",
        -3..14,
    );
    expect![[r#"
        {
          for (int c0 = 4; c0 <= n; c0 += 4) {
            S1(c0 - 2);
            S0(c0);
          }
          if (n >= 2 && (n + 2) % 4 <= 1)
            S1(4 * (n / 4) + 2);
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn bounds_by_division_of_nonnegative_numbers() {
    let text = check_map(
        "[M, m] -> { S[i] -> [i] : M >= i + 1 and m >= 3i + 8 and i >= 0 }",
        "[M, m] -> { : m >= 0 }",
        "{}",
        -1..13,
    );
    expect![[r#"
        for (int c0 = 0; c0 < min(M, (m + 1) / 3 - 2); c0 += 1)
          S(c0);
    "#]]
    .assert_eq(&text);
}

#[test]
fn remainders_are_justified_by_the_conditions_before_them() {
    let condition = "n >= 2 and n - 4*floor(n/4) >= 2";
    let text = check_map(&format!("[n] -> {{ S[] -> [0] : {condition} }}"), "{ : }", "{}", -9..10);
    assert_eq!(text, "if (n >= 2 && n % 4 >= 2)\n  S();\n");
}
