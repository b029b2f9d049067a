//! Every option on and off: the code is right both times, and differs in the way that is stated.
use super::trace::check_map_with;
use loopwright_astgen::{Baseline, Options, SeparationBounds, Strategy};

const ON: Options = Options::STANDARD;

/// The code for a flat schedule, run and proved, without a context.
#[track_caller]
fn code(options: &Options, schedule: &str, settings: &str) -> String {
    check_map_with(options, schedule, "{ : }", settings, -1..7)
}

#[test]
fn an_atomic_upper_bound_is_one_comparison() {
    let schedule = "[n, m] -> { S[i] -> [i] : 0 <= i < n and i < m }";
    assert!(code(&ON, schedule, "{}").contains("c0 < min(m, n);"));
    let off = Options { atomic_upper_bound: false, ..ON };
    assert!(code(&off, schedule, "{}").contains("c0 < m && c0 < n;"));
}

#[test]
fn without_prefer_pdiv_all_divisions_are_floors() {
    let schedule = "[n] -> { S[i, j, k] -> [i] : 0 <= i < n and j = i mod 4 and k = floor(i/3) }";
    let on = code(&ON, schedule, "{}");
    let off = code(&Options { prefer_pdiv: false, ..ON }, schedule, "{}");
    let is_short = |text: &str| text.contains(" / ") || text.contains(" % ");
    assert!(is_short(&on), "{on}");
    assert!(!is_short(&off) && off.contains("floord("), "{off}");
}

#[test]
fn without_exploiting_nested_bounds_conditions_stay() {
    let schedule = "[m, n] -> { S[i,j] -> [i,j] : 0 <= i < m and 0 <= j < n }";
    assert!(!code(&ON, schedule, "{}").contains("if"));
    let off = code(&Options { exploit_nested_bounds: false, ..ON }, schedule, "{}");
    assert!(off.starts_with("if (n >= 1)\n  for "), "{off}");
}

#[test]
fn implicit_bounds_separate_where_an_inner_loop_is_empty() {
    let schedule = "[n, m] -> { A[i] -> [i,0] : 0 <= i < n; B[i,j] -> [i,j + 1] : 0 <= i < n and \
                    0 <= j < m and j < 5 - i }";
    let settings = "{ [i,j] -> separate[0] }";
    let explicit = code(&ON, schedule, settings);
    let implicit = Options { separation_bounds: SeparationBounds::Implicit, ..ON };
    let implicit = code(&implicit, schedule, settings);
    let calls = |text: &str| text.matches("A(").count();
    assert_eq!(calls(&explicit), 1, "{explicit}");
    assert!(calls(&implicit) > 1, "{implicit}");
}

#[test]
fn scaled_iterators_count_one_by_one() {
    let schedule = "[n] -> { S[i] -> [3i + 1] : 0 <= i < n }";
    assert_eq!(code(&ON, schedule, "{}"), "for (int c0 = 0; c0 < n; c0 += 1)\n  S(c0);\n");
    let off = code(&Options { scale_strides: false, ..ON }, schedule, "{}");
    assert!(off.contains("c0 += 3") && off.contains("/ 3"), "{off}");
}

#[test]
fn statements_of_different_scale_share_an_unscaled_loop() {
    let schedule = "{ A[i] -> [2i] : 0 <= i < 10; B[i] -> [2i + 1] : 0 <= i < 10 }";
    let text = code(&Options { scale_strides: false, ..ON }, schedule, "{}");
    assert!(text.contains("c0 += 2") && text.matches("for").count() == 1, "{text}");
}

#[test]
fn without_else_every_condition_stands_alone() {
    let schedule = "[n] -> { A[i] -> [i] : 0 <= i < 10 and n >= i; B[i] -> [i] : 0 <= i < 10 and \
                    n < i; C[i] -> [i] : 0 <= i < 10 }";
    let settings = "{ [i] -> atomic[0] }";
    let on = code(&ON, schedule, settings);
    assert!(on.contains("else"), "{on}");
    let off = code(&Options { allow_else: false, ..ON }, schedule, settings);
    assert!(!off.contains("else"), "{off}");
}

#[test]
fn without_or_code_is_repeated() {
    let schedule = "{ S[i] -> [i] : 0 <= i < 40 and (i mod 5 = 0 or i mod 7 = 2) }";
    let on = code(&ON, schedule, "{}");
    assert!(on.contains("||") && on.matches("S(").count() == 1, "{on}");
    let off = Options { allow_or: false, ..ON };
    let repeated = code(&off, schedule, "{}");
    assert!(!repeated.contains("||") && repeated.contains("else"), "{repeated}");
    assert_eq!(repeated.matches("S(").count(), 2, "{repeated}");
    let apart = code(&Options { allow_else: false, ..off }, schedule, "{}");
    assert!(!apart.contains("||") && !apart.contains("else"), "{apart}");
}

#[test]
fn maxima_are_detected() {
    let schedule = "[n, m] -> { S[(n)] -> [0] : n >= m; S[(m)] -> [0] : m > n }";
    let off = code(&ON, schedule, "{}");
    let on = code(&Options { detect_min_max: true, ..ON }, schedule, "{}");
    assert!(!off.contains("max("), "{off}");
    assert!(on.contains("max(") && !on.contains('?'), "{on}");
}

#[test]
fn fractions_are_no_candidates_for_maxima() {
    let schedule = "{ S[i] -> [t] : (i = -1 and t = -1) or (0 <= i <= 3 and t = 3i) }";
    let options = Options { detect_min_max: true, ..ON };
    assert!(!code(&options, schedule, "{ [t] -> atomic[0] }").contains("max("));
}

#[test]
fn all_options_off_at_once() {
    let off = Options {
        atomic_upper_bound: false,
        prefer_pdiv: false,
        exploit_nested_bounds: false,
        separation_bounds: SeparationBounds::Implicit,
        scale_strides: false,
        allow_else: false,
        allow_or: false,
        group_coscheduled: true,
        detect_min_max: true,
        ..ON
    };
    let schedule = "[n] -> { S[i] -> [floor(i/4), 2i] : 0 <= i < n and (i mod 3 = 0 or i > 4); \
                    T[i] -> [floor(i/8), 6i + 1] : 0 <= i < n }";
    for settings in ["{}", "{ [a,b] -> atomic[x] }", "{ [a,b] -> separate[x] }"] {
        check_map_with(&off, schedule, "{ : }", settings, -1..20);
    }
}

#[test]
fn single_bounds_split_loops() {
    let schedule = "[n] -> { S[i, j] -> [i, j] : 0 <= i < n and 0 <= j <= i and j <= 4 }";
    let on = code(&ON, schedule, "{}");
    assert!(on.contains("min("), "{on}");
    let split = code(&Options { single_bounds: true, ..ON }, schedule, "{}");
    assert!(!split.contains("min(") && !split.contains("max("), "{split}");
    assert!(split.matches("S(").count() >= 2, "{split}");
}

#[test]
fn single_bounds_of_tiles_and_bands() {
    let options = Options { single_bounds: true, ..ON };
    for schedule in [
        "[n, m] -> { S[i] -> [i] : 0 <= i < n and i < m }",
        "[n] -> { S[i, j] -> [floor(i/4), floor(j/4), i, j] : 0 <= i < n and 0 <= j <= i }",
        "[n, b] -> { S[i, j] -> [i + j, j] : 0 <= i < n and 0 <= j < n and i - 2 <= j <= i + b }",
        "[n] -> { S[i, j] -> [i + 2j, 3j] : 0 <= i < n and i <= 2j <= n }",
    ] {
        let text = code(&options, schedule, "{}");
        assert!(code(&ON, schedule, "{}").contains("m"), "{text}");
        code(&Options { allow_else: false, ..options }, schedule, "{}");
        if !schedule.contains("floor") {
            assert!(!text.contains("min(") && !text.contains("max("), "{text}");
        }
    }
}

/// Section 4 of the same paper: two loops without a common upper bound. One loop has the greater one.
#[test]
fn baselines_with_unrelated_bounds() {
    let schedule = "[N, M] -> { S1[i] -> [i, 0] : 1 <= i <= N; S2[i] -> [i, 1] : 1 <= i <= M }";
    for baseline in [Baseline::BoundingBox, Baseline::Hull] {
        let options = Options { strategy: Strategy::Baseline(baseline), ..ON };
        let text = check_map_with(&options, schedule, "{ : }", "{}", -1..6);
        let head = "for (int c0 = 1; c0 <= max(N, M); c0 += 1) {\n";
        assert!(text.starts_with(head) && text.matches("if (").count() == 2, "{text}");
    }
}

/// A box does not look for a value that outer loops determine; its bounds do not depend on them.
#[test]
fn bounding_boxes_of_determined_dimensions() {
    let options = Options { strategy: Strategy::Baseline(Baseline::BoundingBox), ..ON };
    let schedule =
        "{ S[i, j] -> [101i + 50j, 8*floor((2i + j)/8), i + j] : 0 <= i <= 9 and 0 <= j < i }";
    let text = check_map_with(&options, schedule, "{ : }", "{}", 0..1);
    assert_eq!(text.matches("for (").count(), 1, "{text}");
    let schedule = "[n] -> { S[i, j] -> [i, j] : 0 <= i <= j < n }";
    let text = check_map_with(&options, schedule, "{ : }", "{}", -1..5);
    assert!(text.contains("for (int c1 = 0; c1 < n; c1 += 1)"), "{text}");
}

#[test]
fn baselines_of_figure_6() {
    let schedule = "[N, M] -> { S1[i, j] -> [i, j, 0] : 1 <= i <= N and 1 <= j <= M; \
                    S2[i, j] -> [i, j, 1] : 3 <= i <= N and j = i }";
    let strategy = |baseline| Options { strategy: Strategy::Baseline(baseline), ..ON };
    let context = "[N, M] -> { : 4 <= M <= N }";
    let text = check_map_with(&strategy(Baseline::BoundingBox), schedule, context, "{}", 3..9);
    let head = "for (int c0 = 1; c0 <= N; c0 += 1)\n  for (int c1 = 1; c1 <= N; c1 += 1) {\n";
    assert!(text.starts_with(head) && text.matches("if (").count() == 2, "{text}");
    let text = check_map_with(&strategy(Baseline::Hull), schedule, context, "{}", 3..9);
    assert_eq!(text.matches("for (").count(), 2, "{text}");
}
