//! The worked examples of "Scheduling for PPCG", checked by enumeration and compared in outline.
use crate::support;

use crate::support::checked_outline;
use loopwright_scheduler::{Algorithm, Fuse, Options};

/// The constraints whose validity, proximity and coincidence are all the same relation.
fn same_relation(domain: &str, relation: &str) -> String {
    format!(
        "domain: \"{domain}\"\nvalidity: \"{relation}\"\nproximity: \"{relation}\"\ncoincidence: \"{relation}\"\n"
    )
}

/// Relations `S[..] -> S[.. + distance]` within the domain `bounds` of both ends.
fn uniform(
    params: &str,
    dims: &[&str],
    distances: &[&[i64]],
    bounds: &dyn Fn(&[String]) -> String,
) -> String {
    let source: Vec<String> = dims.iter().map(|d| d.to_string()).collect();
    let pieces = distances.iter().map(|distance| {
        let sink: Vec<String> =
            dims.iter().zip(*distance).map(|(d, x)| format!("{d}+({x})")).collect();
        format!(
            "S[{}] -> S[{}] : {} and {}",
            source.join(","),
            sink.join(","),
            bounds(&source),
            bounds(&sink)
        )
    });
    format!("[{params}] -> {{ {} }}", pieces.collect::<Vec<_>>().join("; "))
}

fn seidel() -> String {
    let bounds =
        |p: &[String]| format!("0 <= {} < T and 1 <= {} < N-1 and 1 <= {} < N-1", p[0], p[1], p[2]);
    let distances: [&[i64]; 9] = [
        &[0, 0, 1],
        &[0, 1, -1],
        &[0, 1, 0],
        &[0, 1, 1],
        &[1, -1, -1],
        &[1, -1, 0],
        &[1, -1, 1],
        &[1, 0, -1],
        &[1, 0, 0],
    ];
    let relation = uniform("T, N", &["t", "i", "j"], &distances, &bounds);
    same_relation(
        "[T, N] -> { S[t,i,j] : 0 <= t < T and 1 <= i < N-1 and 1 <= j < N-1 }",
        &relation,
    )
}

/// T-11 (listing 17).
#[test]
fn seidel_with_parallel_inner_loops() {
    let outline = checked_outline(&seidel(), &Options::outer_parallel(), &[("T", 3), ("N", 5)], 5);
    assert_eq!(outline, "ordered 0: S -> (4t+2i+j)\n  permutable 11: S -> (t, i)");
}

#[test]
fn seidel_as_a_tilable_band() {
    let outline = checked_outline(&seidel(), &Options::tiling(), &[("T", 3), ("N", 5)], 5);
    assert_eq!(outline, "permutable 000: S -> (t, t+i, 2t+i+j)");
}

fn jacobi() -> String {
    let within =
        |t: &str, i: &str, j: &str| format!("0 <= {t} < T and 1 <= {i} < N-1 and 1 <= {j} < N-1");
    let mut pieces = Vec::new();
    for (di, dj) in [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)] {
        let (i, j) = (format!("i+({di})"), format!("j+({dj})"));
        let (here, next) = (within("t", "i", "j"), within("t+1", &i, &j));
        let there = within("t", &i, &j);
        pieces.push(format!("S[t,i,j] -> T[t,{i},{j}] : {here} and {there}"));
        pieces.push(format!("T[t,i,j] -> S[t+1,{i},{j}] : {here} and {next}"));
    }
    let relation = format!("[T, N] -> {{ {} }}", pieces.join("; "));
    let domain = format!("[T, N] -> {{ S[t,i,j] : {0}; T[t,i,j] : {0} }}", within("t", "i", "j"));
    same_relation(&domain, &relation)
}

/// T-08 (listing 11, figure 13).
#[test]
fn jacobi_with_parallel_inner_loops_is_the_original_order() {
    let outline = checked_outline(&jacobi(), &Options::outer_parallel(), &[("T", 3), ("N", 5)], 5);
    let expected = "ordered 0: S -> (t); T -> (t)\n  sequence\n  - S\n    permutable 11: S -> (i, j)\n  \
                    - T\n    permutable 11: T -> (i, j)";
    assert_eq!(outline, expected);
}

/// T-08 (listing 11, (6)).
#[test]
fn jacobi_as_a_tilable_band() {
    let outline = checked_outline(&jacobi(), &Options::tiling(), &[("T", 3), ("N", 5)], 5);
    assert!(outline.starts_with("permutable 000: S -> (t, 2t+i, "), "{outline}");
}

/// T-10 (listing 15).
#[test]
fn a_reduction_over_two_loops_keeps_the_original_loops() {
    let relation = "[n] -> { S[i,j] -> S[i,j+1] : 0 <= i < n and 0 <= j < n-1; \
                    S[i,n-1] -> S[i+1,0] : 0 <= i < n-1 }";
    let text = same_relation("[n] -> { S[i,j] : 0 <= i,j < n }", relation);
    for options in [Options::tiling(), Options::outer_parallel()] {
        let outline = checked_outline(&text, &options, &[("n", 4)], 4);
        assert!(outline.contains("S -> (i)") && outline.contains("S -> (j)"), "{outline}");
    }
}

/// T-10 with a known number of iterations (examples 13 and 30).
#[test]
fn constant_loops_are_not_flattened() {
    let relation =
        "{ S[i,j] -> S[i,j+1] : 0 <= i < 6 and 0 <= j < 5; S[i,5] -> S[i+1,0] : 0 <= i < 5 }";
    let text = same_relation("{ S[i,j] : 0 <= i,j < 6 }", relation);
    let outline = checked_outline(&text, &Options::outer_parallel(), &[], 6);
    assert!(outline.starts_with("ordered 0: S -> (i)"), "{outline}");
}

/// T-12 (example 12).
#[test]
fn proximity_without_validity_prefers_small_distance() {
    let text = "domain: \"{ S[i,j] : 0 <= i,j <= 10 }\"\nproximity: \"{ S[i,j] -> S[1+i,j] : 0 <= i <= 9 and 0 <= j <= 10 }\"";
    let outline = checked_outline(text, &Options::tiling(), &[], 4);
    assert_eq!(outline, "permutable 11: S -> (j, i)");
}

#[test]
fn independent_loops_keep_the_original_order() {
    let outline = checked_outline(
        "domain: \"[n] -> { S[i,j,k] : 0 <= i,j,k < n }\"",
        &Options::tiling(),
        &[("n", 3)],
        3,
    );
    assert_eq!(outline, "permutable 111: S -> (i, j, k)");
}

#[test]
fn feautrier_steps_alone() {
    let options = Options { algorithm: Algorithm::Feautrier, ..Options::tiling() };
    let outline = checked_outline(&seidel(), &options, &[("T", 3), ("N", 5)], 5);
    assert!(outline.starts_with("ordered 0: S -> (4t+2i+j)"), "{outline}");
    let text = same_relation("{ A[]; B[0]; C[] }", "{ A[] -> B[0] }");
    let outline = checked_outline(&text, &options, &[], 2);
    assert_eq!(outline, "sequence\n- A\n- B\n- C");
}

const TRMM_DOMAIN: &str = "[n, m] -> { A[i, j, k] : i >= 0 and 0 <= j < n and i < k < m; \
                           B[i, j] : 0 <= i < m and 0 <= j < n }";

/// Flow: A -> A, A -> B, and false dependences A reads B[k][j] -> B writes it.
fn trmm() -> String {
    let relation = "[n, m] -> { \
        A[i,j,k] -> A[i,j,k+1] : 0 <= i < k and k < m-1 and 0 <= j < n; \
        A[i,j,k] -> A[k,j,k+1] : 0 <= i < k and k < m-1 and 0 <= j < n; \
        A[i,j,m-1] -> B[i,j] : 0 <= i < m-1 and 0 <= j < n; \
        A[i,j,m-1] -> B[m-1,j] : 0 <= i < m-1 and 0 <= j < n }";
    same_relation(TRMM_DOMAIN, relation)
}

/// T-15 (listing 22).
#[test]
fn trmm_is_not_fused_when_that_costs_parallelism() {
    let outline = checked_outline(&trmm(), &Options::tiling(), &[("n", 3), ("m", 4)], 4);
    let expected =
        "sequence\n- A\n  permutable 100: A -> (j, k, i)\n- B\n  permutable 11: B -> (i, j)";
    assert_eq!(outline, expected);
}

/// T-15 (listing 21).
#[test]
fn trmm_as_a_whole_component() {
    let options = Options { fuse: Fuse::Max, ..Options::tiling() };
    let outline = checked_outline(&trmm(), &options, &[("n", 3), ("m", 4)], 4);
    assert!(outline.contains("permutable 100:"), "{outline}");
    assert!(outline.contains("A -> (j, k, i); B -> (j, m, i)"), "{outline}");
}

#[test]
fn matrix_multiplication_shares_its_loops() {
    let relation = "[M, N, K] -> { \
        S1[i,j] -> S2[i,j,0] : 0 <= i < M and 0 <= j < N and K >= 1; \
        S2[i,j,k] -> S2[i,j,k+1] : 0 <= i < M and 0 <= j < N and 0 <= k < K-1 }";
    let domain = "[M, N, K] -> { S1[i,j] : 0 <= i < M and 0 <= j < N; \
                  S2[i,j,k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }";
    let text = same_relation(domain, relation);
    let outline = checked_outline(&text, &Options::tiling(), &[("M", 2), ("N", 3), ("K", 3)], 3);
    let expected = "permutable 110: S1 -> (i, j, 0); S2 -> (i, j, k)\n  sequence\n  - S1\n  - S2";
    assert_eq!(outline, expected);
    let options = Options { fuse: Fuse::Min, ..Options::tiling() };
    let outline = checked_outline(&text, &options, &[("M", 2), ("N", 3), ("K", 3)], 3);
    let expected =
        "sequence\n- S1\n  permutable 11: S1 -> (i, j)\n- S2\n  permutable 110: S2 -> (i, j, k)";
    assert_eq!(outline, expected);
}

/// T-25 (listing 32).
#[test]
fn constraints_outside_of_the_domain_must_not_be_simplified_away() {
    let text = same_relation(
        "{ A[i] : 0 <= i < 10; B[i] : 0 <= i < 10 }",
        "{ A[0] -> B[i] : 0 <= i <= 9; B[i] -> A[1+i] : 0 <= i <= 8 }",
    );
    for options in [Options::tiling(), Options::outer_parallel()] {
        checked_outline(&text, &options, &[], 10);
    }
}

#[test]
fn cyclic_constraints_are_refused() {
    let text = same_relation("{ A[i] : 0 <= i < 10 }", "{ A[i] -> A[9-i] : 0 <= i <= 9 }");
    let constraints = loopwright_scheduler::ScheduleConstraints::parse(&text).expect("it parses");
    let budget = loopwright_presburger::Budget::unlimited();
    assert!(loopwright_scheduler::schedule(&constraints, &Options::tiling(), &budget).is_err());
}

#[test]
fn dimensions_that_are_fixed_are_no_members() {
    let text = "domain: \"[N] -> { S[t,i] : t = N - 1 and 0 <= i < N; T[i,j] : j = i + 1 and 0 <= i < N }\"";
    let outline = checked_outline(text, &Options::tiling(), &[("N", 3)], 4);
    assert_eq!(outline, "set\n- S\n  permutable 1: S -> (i)\n- T\n  permutable 1: T -> (i)");
    let text = "domain: \"[M] -> { S[a, b] : 0 <= a <= 99 and M <= 2b <= 1 + M }\"";
    let outline = checked_outline(text, &Options::tiling(), &[("M", 3)], 4);
    assert_eq!(outline, "permutable 1: S -> (a)");
}

const BELOW_ROWS: &str = "domain: \"[n] -> { S[i, j] : 0 <= i, j < n }\"\n\
    prefix: \"[n] -> [{ S[i, j] -> [(i)] }]\"\n\
    validity: \"[n] -> { S[i, j] -> S[i + 1, j - 1] : 0 <= i < n - 1 and 1 <= j < n }\"\n\
    coincidence: \"[n] -> { S[i, j] -> S[i + 1, j - 1] : 0 <= i < n - 1 and 1 <= j < n }\"\n";

#[test]
fn pairs_that_a_given_prefix_separates_do_not_count() {
    let options = Options::tiling();
    let (constraints, scheduled) = support::schedule_text(BELOW_ROWS, &options);
    assert_eq!(support::outline(&scheduled.tree), "permutable 11: S -> (i, j)");
    let again = loopwright_scheduler::ScheduleConstraints::parse(&constraints.to_string());
    assert_eq!(again.expect("it is read back").to_string(), constraints.to_string());
    let without: String = BELOW_ROWS
        .lines()
        .filter(|line| !line.starts_with("prefix"))
        .map(|l| format!("{l}\n"))
        .collect();
    let outline = checked_outline(&without, &options, &[("n", 3)], 4);
    assert_ne!(outline, "permutable 11: S -> (i, j)");
}

#[test]
fn conditions_that_a_prefix_separates_make_their_neighbours_hold() {
    let domain = "domain: \"{ S[i, j] : 0 <= i, j < 3; T[i, j] : 0 <= i, j < 3 }\"\n";
    let text = format!(
        "{domain}prefix: \"[{{ S[i, j] -> [(j)]; T[i, j] -> [(j - 1)] }}]\"\n\
         condition: \"{{ [S[i, j] -> a[]] -> [T[i, j] -> b[]] : 0 <= i, j < 3 }}\"\n\
         conditional_validity: \"{{ [T[i, j] -> b[]] -> [S[i, j - 1] -> a[]] : \
         0 <= i < 3 and 1 <= j < 3 }}\"\n"
    );
    let (_, scheduled) = support::schedule_text(&text, &Options::tiling());
    let text =
        format!("{domain}validity: \"{{ T[i, j] -> S[i, j - 1] : 0 <= i < 3 and 1 <= j < 3 }}\"\n");
    let constraints = loopwright_scheduler::ScheduleConstraints::parse(&text).expect("it parses");
    support::check(&constraints, &scheduled.tree, &[], 4);
}
