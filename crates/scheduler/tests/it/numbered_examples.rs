//! Worked examples of "Scheduling for PPCG" on constraints, by their numbers in the list of examples
//! that the tests of this crate follow. Where a tie allows several answers a test states what all of
//! them have in common, and shows that the published one is among them.

use crate::support::exact::violations;
use crate::support::{checked_outline, outline, schedule_text};
use loopwright_presburger::Budget;
use loopwright_schedule::ScheduleTree;
use loopwright_scheduler::{Fuse, Options, ScheduleConstraints, schedule};

/// Constraints with one relation for validity, proximity and coincidence.
fn same_relation(domain: &str, relation: &str) -> String {
    format!(
        "domain: \"{domain}\"\nvalidity: \"{relation}\"\nproximity: \"{relation}\"\n\
         coincidence: \"{relation}\"\n"
    )
}

/// Listing 2: `A` writes what `B` reads, `C` writes the same variable again, `D` reads that.
fn two_live_ranges(more_validity: &str) -> String {
    format!(
        "domain: \"{{ A[]; B[]; C[]; D[] }}\"\n\
         validity: \"{{ A[] -> B[]; C[] -> D[]; {more_validity} }}\"\n\
         proximity: \"{{ A[] -> B[]; C[] -> D[]; A[] -> C[]; B[] -> C[] }}\"\n\
         coincidence: \"{{ A[] -> B[]; C[] -> D[]; {more_validity} }}\"\n\
         condition: \"{{ A[] -> B[]; C[] -> D[] }}\"\n\
         conditional_validity: \"{{ B[] -> C[] }}\"\n"
    )
}

/// The four statements in an order of two pairs.
fn pairs_in_sequence(first: [&str; 2], second: [&str; 2]) -> ScheduleTree {
    let pair = |[a, b]: [&str; 2]| {
        format!(
            "  - filter: \"{{ {a}[]; {b}[] }}\"\n    child:\n      sequence:\n      \
             - filter: \"{{ {a}[] }}\"\n      - filter: \"{{ {b}[] }}\"\n"
        )
    };
    let text = format!(
        "domain: \"{{ A[]; B[]; C[]; D[] }}\"\nchild:\n  sequence:\n{}{}",
        pair(first),
        pair(second)
    );
    ScheduleTree::parse(&text).expect("the tree parses")
}

/// T-01 (listing 2): two live ranges of a dead variable may change places as a whole, and do so when
/// something else asks for it.
#[test]
fn t_01_live_ranges_may_change_places() {
    let (constraints, scheduled) = schedule_text(&two_live_ranges(""), &Options::tiling());
    let wrong = violations(&constraints, &scheduled.tree);
    assert!(wrong.is_empty(), "{wrong:?}");
    for (first, second) in [(["A", "B"], ["C", "D"]), (["C", "D"], ["A", "B"])] {
        let wrong = violations(&constraints, &pairs_in_sequence(first, second));
        assert!(wrong.is_empty(), "{first:?} before {second:?}: {wrong:?}");
    }
    for (first, second) in [(["B", "A"], ["C", "D"]), (["A", "C"], ["B", "D"])] {
        let wrong = violations(&constraints, &pairs_in_sequence(first, second));
        assert!(!wrong.is_empty(), "{first:?} before {second:?} is accepted");
    }
    let (constraints, scheduled) =
        schedule_text(&two_live_ranges("D[] -> A[]"), &Options::tiling());
    let wrong = violations(&constraints, &scheduled.tree);
    assert!(wrong.is_empty(), "{wrong:?}\n{}", scheduled.tree);
    let expected = "sequence\n- C D\nsequence\n- C\n- D\n- A B\nsequence\n- A\n- B";
    let found: Vec<String> =
        outline(&scheduled.tree).lines().map(|line| line.trim().to_string()).collect();
    assert_eq!(found.join("\n"), expected);
}

/// T-01 with a variable that is read afterwards: its last write stays last, and the order is that of
/// the program.
#[test]
fn t_01_a_live_variable_keeps_all_in_order() {
    let (constraints, scheduled) =
        schedule_text(&two_live_ranges("A[] -> C[]"), &Options::tiling());
    let wrong = violations(&constraints, &scheduled.tree);
    assert!(wrong.is_empty(), "{wrong:?}");
    let names: Vec<String> = outline(&scheduled.tree)
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- ").map(str::to_string))
        .filter(|names| names.len() == 1)
        .collect();
    assert_eq!(names, ["A", "B", "C", "D"]);
    let other = pairs_in_sequence(["C", "D"], ["A", "B"]);
    assert!(!violations(&constraints, &other).is_empty());
}

/// T-02 (listing 3): a scalar that is written and read in every iteration. Dead after the loop, it
/// does not order iterations; otherwise its last write does.
#[test]
fn t_02_a_killed_scalar_leaves_iterations_free() {
    let flow = "S[i] -> T[i] : 0 <= i < n";
    let outline_with = |forced: &str| {
        let text = format!(
            "domain: \"[n] -> {{ S[i] : 0 <= i < n; T[i] : 0 <= i < n }}\"\n\
             validity: \"[n] -> {{ {flow}; {forced} }}\"\n\
             proximity: \"[n] -> {{ {flow}; T[i] -> S[i + 1] : 0 <= i < n - 1 }}\"\n\
             coincidence: \"[n] -> {{ {flow}; {forced} }}\"\n\
             condition: \"[n] -> {{ {flow} }}\"\n\
             conditional_validity: \
             \"[n] -> {{ T[i] -> S[k] : 0 <= i < k < n }}\"\n"
        );
        let (constraints, scheduled) = schedule_text(&text, &Options::tiling());
        let wrong = violations(&constraints, &scheduled.tree);
        assert!(wrong.is_empty(), "{wrong:?}\n{}", scheduled.tree);
        outline(&scheduled.tree)
    };
    let killed = outline_with("");
    assert_eq!(killed, "permutable 1: S -> (i); T -> (i)\n  sequence\n  - S\n  - T");
    let live = outline_with("S[i] -> S[n - 1] : 0 <= i < n - 1");
    assert!(!live.lines().next().unwrap_or_default().contains('1'), "{live}");
}

/// T-21 (section 7.6, examples 27 and 28): two loops of 10000 iterations in one member can be told apart
/// again, `j = v mod 10000` and `i = floor(v / 10000)`; that is what is avoided.
#[test]
fn t_21_flattened_loops_can_be_recovered() {
    let relation = "{ S[i, j] -> S[i, j + 1] : 0 <= i < 10000 and 0 <= j < 9999; \
                    S[i, 9999] -> S[i + 1, 0] : 0 <= i < 9999 }";
    let text = same_relation("{ S[i, j] : 0 <= i, j < 10000 }", relation);
    let outline_with = |treat_coalescing: bool| {
        let options = Options { treat_coalescing, ..Options::outer_parallel() };
        let (constraints, scheduled) = schedule_text(&text, &options);
        assert!(violations(&constraints, &scheduled.tree).is_empty());
        outline(&scheduled.tree)
    };
    let flattened = outline_with(false);
    assert!(flattened.starts_with("ordered 0: S -> (10000i+j)\n"), "{flattened}");
    for (i, j) in [(0, 0), (0, 9999), (1, 0), (9999, 9999)] {
        let v: i64 = 10000 * i + j;
        assert_eq!((v.div_euclid(10000), v.rem_euclid(10000)), (i, j));
    }
    assert_eq!(outline_with(true), "ordered 0: S -> (i)\n  ordered 0: S -> (j)");
}

/// T-21, (94) to (97): a context that fixes a parameter does not bring its value into the schedule.
#[test]
fn t_21_a_known_size_does_not_get_into_the_schedule() {
    let relation = "[n] -> { S[i, j] -> S[i + 1, j] : 0 <= i and i + 1 < n and 0 <= j < n }";
    let text = same_relation("[n] -> { S[i, j] : 0 <= i, j < n }", relation);
    for context in ["", "context: \"[n] -> { : n = 1024 }\"", "context: \"[n] -> { : n <= 1024 }\""]
    {
        for (options, expected) in [
            (Options::tiling(), "permutable 10: S -> (j, i)"),
            (Options::outer_parallel(), "permutable 10: S -> (j, i)"),
        ] {
            let (constraints, scheduled) = schedule_text(&format!("{text}{context}\n"), &options);
            assert!(violations(&constraints, &scheduled.tree).is_empty());
            assert_eq!(outline(&scheduled.tree), expected, "{context}");
        }
    }
}

/// T-27: all statements of two matrix products at once share two loops; apart, each
/// product has its three.
#[test]
fn t_27_two_products_lose_a_loop_as_a_whole_component() {
    let domain = "[I, J, K, L] -> { R[i, j] : 0 <= i < I and 0 <= j < J; \
        S[i, j, k] : 0 <= i < I and 0 <= j < J and 0 <= k < K; T[i, j] : 0 <= i < I and 0 <= j < L; \
        U[i, j, k] : 0 <= i < I and 0 <= j < L and 0 <= k < J }";
    let relation = "[I, J, K, L] -> { R[i, j] -> S[i, j, 0] : 0 <= i < I and 0 <= j < J and K > 0; \
        S[i, j, k] -> S[i, j, k + 1] : 0 <= i < I and 0 <= j < J and 0 <= k < K - 1; \
        S[i, k, K - 1] -> U[i, j, k] : 0 <= i < I and 0 <= k < J and 0 <= j < L and K > 0; \
        T[i, j] -> U[i, j, 0] : 0 <= i < I and 0 <= j < L and J > 0; \
        U[i, j, k] -> U[i, j, k + 1] : 0 <= i < I and 0 <= j < L and 0 <= k < J - 1 }";
    let text = same_relation(domain, relation);
    let sizes = [("I", 2), ("J", 3), ("K", 2), ("L", 2)];
    let whole = Options { fuse: Fuse::Max, ..Options::tiling() };
    let outline = checked_outline(&text, &whole, &sizes, 3);
    let first = outline.lines().next().unwrap_or_default();
    assert_eq!(first, "permutable 10: R -> (i, j); S -> (i, j); T -> (i, 0); U -> (i, k)");
    let outline = checked_outline(&text, &Options::tiling(), &sizes, 3);
    let outer: Vec<&str> = outline
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("permutable") || line.starts_with("ordered"))
        .collect();
    assert_eq!(
        outer,
        [
            "permutable 110: R -> (i, j, 0); S -> (i, j, k)",
            "permutable 110: T -> (i, j, 0); U -> (i, j, k)",
        ]
    );
}

/// Proximity within one place must not ask for a bound where no other pair exists: `A` and `B` are
/// related for every `n`, the loop exists for positive `n` only.
#[test]
fn statements_without_loops_join_a_loop_together() {
    let relation = "[n] -> { A[] -> B[]; A[] -> S[t, i] : 0 < t <= n and 0 < i <= n; \
        B[] -> S[t, i] : 0 < t <= n and 0 < i <= n; \
        S[t, i] -> S[t + 1, j] : 0 < t < n and 0 < i <= n and 0 < j <= n }";
    let text = same_relation("[n] -> { A[]; B[]; S[t, i] : 0 < t <= n and 0 < i <= n }", relation);
    let options = Options { merge_complete: true, ..Options::tiling() };
    let outline = checked_outline(&text, &options, &[("n", 3)], 4);
    let first = outline.lines().next().unwrap_or_default();
    assert!(first.contains("A -> (") && first.contains("S -> (t)"), "{outline}");
}

/// What cannot be ordered in any way is still refused when there are conditions.
#[test]
fn cycles_with_conditions_are_refused() {
    let text = two_live_ranges("D[] -> A[]; B[] -> C[]");
    let constraints = ScheduleConstraints::parse(&text).expect("it parses");
    assert!(schedule(&constraints, &Options::tiling(), &Budget::unlimited()).is_err());
}

/// What is merged must not count on a condition that leads out of the merged statements: `C` comes after
/// both, so the live range from `B` to `C` is not local, and `A(i)` has to stay before `B(i)`.
#[test]
fn conditions_between_clusters_make_their_neighbours_hold() {
    let pairs = "{ A[i, j] -> B[i, j + 1] : 0 <= i < 9 and 0 <= j < 8 }";
    let text = same_relation(
        "{ A[i, j] : 0 <= i, j < 9; B[i, j] : 0 <= i, j < 9; C[i] : 0 <= i < 9 }",
        pairs,
    ) + "condition: \"{ B[i, j] -> C[i] : 0 <= i, j < 9 }\"\n\
         conditional_validity: \"{ A[i, j] -> B[i, j] : 0 <= i, j < 9 }\"\n";
    for options in [Options::tiling(), Options::outer_parallel()] {
        let (constraints, scheduled) = schedule_text(&text, &options);
        let wrong = violations(&constraints, &scheduled.tree);
        assert!(wrong.is_empty(), "{wrong:?}\n{}", scheduled.tree);
    }
}
