//! The worked examples of Kelly, Pugh, "A framework for unifying reordering transformations"
//! (CS-TR-3193, 1993), in corrected forms; checked by running the code.
use super::trace::check_map_with;
use expect_test::expect;
use loopwright_astgen::{LevelRange, Options, Strategy, generate_from_map};
use loopwright_presburger::{Budget, Set, UnionMap};
use loopwright_verify::{Values, execute};

/// Generates and checks the traces for parameters in a range; the text.
#[track_caller]
fn check(schedule: &str, context: &str, range: std::ops::Range<i64>) -> String {
    check_at(LevelRange::ALL, schedule, context, range)
}

#[track_caller]
fn check_at(
    levels: LevelRange,
    schedule: &str,
    context: &str,
    range: std::ops::Range<i64>,
) -> String {
    let options = Options { strategy: Strategy::KellyPugh(levels), ..Options::STANDARD };
    check_map_with(&options, schedule, context, "{}", range)
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn original_order() {
    let text = check(
        "{ s1[i,j] -> [i,1,j] : 1 <= i <= 10 and 1 <= j <= 5; \
         s2[i,k] -> [i,2,k] : 1 <= i <= 10 and 0 <= k <= 100 }",
        "{ : }",
        0..1,
    );
    expect![[r#"
        for (int c0 = 1; c0 <= 10; c0 += 1) {
          for (int c2 = 1; c2 <= 5; c2 += 1)
            s1(c0, c2);
          for (int c2 = 0; c2 <= 100; c2 += 1)
            s2(c0, c2);
        }
    "#]]
    .assert_eq(&text);
}

/// Figure 1, OLDA, with the bodies of the two inner loops in their right places.
#[test]
fn olda() {
    let text = check(
        "[np, morb] -> { \
         s10[mp,mq,mi] -> [mi,mq,mp,0] : 1 <= mp <= np and 1 <= mq <= mp and 1 <= mi <= morb; \
         s20[mp,mq,mi] -> [mi,mp,mq,1] : 1 <= mp <= np and 1 <= mq <= mp and 1 <= mi <= morb }",
        "{ : }",
        0..5,
    );
    expect![[r#"
        for (int c0 = 1; c0 <= morb; c0 += 1)
          for (int c1 = 1; c1 <= np; c1 += 1) {
            for (int c2 = 1; c2 < c1; c2 += 1)
              s20(c1, c2, c0);
            s10(c1, c1, c0);
            s20(c1, c1, c0);
            for (int c2 = c1 + 1; c2 <= np; c2 += 1)
              s10(c2, c1, c0);
          }
    "#]]
    .assert_eq(&text);
}

/// Figure 1, CHOSOL: distribution and interchange of an imperfect triangular nest.
#[test]
fn chosol() {
    let text = check(
        "[n] -> { s10[i] -> [0,i,0,0] : 2 <= i <= n; \
         s20[i,j] -> [1,j,0,i] : 2 <= i <= n and 1 <= j < i; \
         s30[i] -> [1,i-1,1,0] : 2 <= i <= n }",
        "{ : }",
        0..7,
    );
    expect![[r#"
        {
          for (int c1 = 2; c1 <= n; c1 += 1)
            s10(c1);
          for (int c1 = 1; c1 < n; c1 += 1) {
            for (int c3 = c1 + 1; c3 <= n; c3 += 1)
              s20(c3, c1);
            s30(c1 + 1);
          }
        }
    "#]]
    .assert_eq(&text);
}

/// Figure 1, LU without pivoting, with blocks of 4 instead of 64.
#[test]
fn blocked_lu() {
    check(
        "[n] -> { s10[k,i] -> [4*floor((k-1)/4) + 1, 4*floor(i/4), k, k, i] : \
         1 <= k <= n and k + 1 <= i <= n; \
         s20[k,i,j] -> [4*floor((k-1)/4) + 1, 4*floor(i/4), j, k, i] : \
         1 <= k <= n and k + 1 <= i <= n and k + 1 <= j <= n }",
        "{ : }",
        0..11,
    );
}

/// The same with the blocks of the figure: every instance comes strictly later than the one before,
/// and their number is right.
#[test]
fn lu_in_blocks_of_64() {
    let schedule = UnionMap::parse(
        "[n] -> { s10[k,i] -> [64*floor((k-1)/64) + 1, 64*floor(i/64), k, k, i] : \
         1 <= k <= n and k + 1 <= i <= n; \
         s20[k,i,j] -> [64*floor((k-1)/64) + 1, 64*floor(i/64), j, k, i] : \
         1 <= k <= n and k + 1 <= i <= n and k + 1 <= j <= n }",
    )
    .expect("a schedule");
    let options = Options { strategy: Strategy::KellyPugh(LevelRange::ALL), ..Options::STANDARD };
    let (context, none) = (Set::parse("{ : }").expect("a context"), UnionMap::empty());
    let budget = Budget::unlimited();
    let ast = generate_from_map(&schedule, &context, &none, &options, &budget).expect("code");
    for n in [1, 2, 63, 64, 65, 130] {
        let values = Values::from([("n".into(), n)]);
        let trace = execute(&ast, &values, 4_000_000).expect("the code has an end");
        let mut last = Vec::new();
        for (name, instance) in &trace {
            let (k, i) = (instance[0], instance[1]);
            let j = instance.get(2).copied().unwrap_or(k);
            assert_eq!(name == "s20", instance.len() == 3);
            assert!(1 <= k && k < i && i <= n && j <= n && (instance.len() == 2 || k < j));
            let time = vec![64 * ((k - 1) / 64) + 1, 64 * (i / 64), j, k, i];
            assert!(last < time, "{name}{instance:?}, n = {n}");
            last = time;
        }
        let expected: i64 = (1..=n).map(|k| (n - k) + (n - k) * (n - k)).sum();
        assert_eq!(trace.len() as i64, expected);
    }
}

/// Figure 1, banded SYR2K.
#[test]
fn banded_syr2k() {
    let text = check(
        "[n, b] -> { s10[i,j,k] -> [j - i + 1, k - j, k] : 1 <= i <= n and \
         i <= j <= i + 2b - 2 and j <= n and i - b + 1 <= k and j - b + 1 <= k and 1 <= k and \
         k <= i + b - 1 and k <= j + b - 1 and k <= n }",
        "[n, b] -> { : n >= 1 and b >= 1 }",
        1..6,
    );
    expect![[r#"
        for (int c0 = 1; c0 <= min(2 * b - 1, n); c0 += 1)
          for (int c1 = max(1 - n, 1 - b); c1 <= min(b - c0, n - c0); c1 += 1)
            for (int c2 = max(1, c0 + c1); c2 <= min(n, c1 + n); c2 += 1)
              s10(c2 - c0 - c1 + 1, c2 - c1, c2);
    "#]]
    .assert_eq(&text);
}

/// Section 5: Gaussian elimination from KIJ to IJK without superfluous comparisons.
#[test]
fn gaussian_elimination() {
    let text = check(
        "[n] -> { s10[k,i] -> [i,k,1,0] : 1 <= k <= n and k + 1 <= i <= n; \
         s20[k,i,j] -> [i,j,0,k] : 1 <= k <= n and k + 1 <= i <= n and k + 1 <= j <= n }",
        "{ : }",
        0..7,
    );
    assert_eq!(count(&text, "if ("), 0, "{text}");
    assert_eq!(count(&text, "s10("), 2, "{text}");
    assert_eq!(count(&text, "s20("), 2, "{text}");
}

/// The same without splits: one perfect nest with conditions.
#[test]
fn gaussian_elimination_without_splits() {
    let text = check_at(
        LevelRange { from: 9, to: 9 },
        "[n] -> { s10[k,i] -> [i,k,1,0] : 1 <= k <= n and k + 1 <= i <= n; \
         s20[k,i,j] -> [i,j,0,k] : 1 <= k <= n and k + 1 <= i <= n and k + 1 <= j <= n }",
        "{ : }",
        0..7,
    );
    assert_eq!(count(&text, "s10("), 1, "{text}");
    assert_eq!(count(&text, "s20("), 1, "{text}");
}

#[test]
fn split_in_three_intervals() {
    let text =
        check("{ s1[t] -> [t] : 1 <= t <= 15; s2[t] -> [t] : 10 <= t <= 20 }", "{ : }", 0..1);
    for head in ["c0 = 1; c0 <= 9;", "c0 = 10; c0 <= 15;", "c0 = 16; c0 <= 20;"] {
        assert!(text.contains(head), "{text}");
    }
}

#[test]
fn inverse_of_a_mapping() {
    let text = check("{ S[i,j] -> [i + j, i] : 0 <= i <= 5 and 0 <= j <= 5 }", "{ : }", 0..1);
    assert!(text.contains("S(c1, c0 - c1)"), "{text}");
}

#[test]
fn mapping_with_a_wildcard() {
    let text = check(
        "{ S[i] -> [i] : exists a : i = 2a and 0 <= i <= 9; T[i] -> [i] : 5 <= i <= 12 }",
        "{ : }",
        0..1,
    );
    assert!(text.contains("c0 += 2"), "{text}");
}

/// A statement in several pieces, with different mappings.
#[test]
fn piecewise_mapping() {
    check(
        "[n] -> { S[i] -> [0, -i] : 0 <= i < n and 2i < n; S[i] -> [1, i] : n <= 2i and 0 <= i < n; \
         T[i] -> [i, 0] : 0 <= i <= 1 }",
        "{ : }",
        -1..7,
    );
}

#[test]
fn unrelated_bounds_and_a_cycle() {
    check("[N, M] -> { S1[i] -> [i] : 1 <= i <= N; S2[i] -> [i] : 1 <= i <= M }", "{ : }", -1..5);
    check(
        "[p, q] -> { A[x] -> [x] : p = 0 and 0 <= q <= 2 and x = q; \
         B[x] -> [x] : q = 0 and 0 <= p <= 2 and x = 2 - p; \
         C[x] -> [x] : p + q = 2 and 0 <= p <= 2 and x = p }",
        "{ : }",
        -1..4,
    );
}
