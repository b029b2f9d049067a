//! Published schedules of whole kernels, from "Scheduling for PPCG": each under the options that the
//! report names, with the report's section. Where ties allow several answers a test states the property.

use crate::support::exact::violations;
use crate::support::{checked_outline, outline, schedule_text};
use loopwright_schedule::ScheduleTree;
use loopwright_scheduler::{Fallback, Fuse, Options};

/// Constraints with one relation, given as pieces, for validity, proximity and coincidence.
fn constraints(parameters: &str, domain: &[&str], relation: &[&str]) -> String {
    let relation = format!("[{parameters}] -> {{ {} }}", relation.join("; "));
    format!(
        "domain: \"[{parameters}] -> {{ {} }}\"\nvalidity: \"{relation}\"\nproximity: \"{relation}\"\n\
         coincidence: \"{relation}\"\n",
        domain.join("; ")
    )
}

fn jacobi() -> String {
    let within = |t: &str, i: String, j: String| {
        format!("0 <= {t} < T and 1 <= {i} < N - 1 and 1 <= {j} < N - 1")
    };
    let here = within("t", "i".to_string(), "j".to_string());
    let mut pieces = Vec::new();
    for (di, dj) in [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)] {
        let there = |t| within(t, format!("i + {di}"), format!("j + {dj}"));
        let same = there("t");
        let next = there("t + 1");
        pieces.push(format!("S[t, i, j] -> T[t, i + {di}, j + {dj}] : {here} and {same}"));
        pieces.push(format!("T[t, i, j] -> S[t + 1, i + {di}, j + {dj}] : {here} and {next}"));
    }
    let domain = [format!("S[t, i, j] : {here}"), format!("T[t, i, j] : {here}")];
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    constraints("T, N", &[&domain[0], &domain[1]], &pieces)
}

/// Section 6.3, figure 12 (T-08 b): the wavefront of the tilable band has two coincident members
/// inside; the order of the statements is still to be fixed.
#[test]
fn jacobi_2d_as_a_wavefront() {
    let options = Options { wavefront: true, ..Options::tiling() };
    let outline = checked_outline(&jacobi(), &options, &[("T", 3), ("N", 5)], 5);
    let lines: Vec<&str> = outline.lines().map(str::trim).collect();
    assert!(lines[0].starts_with("ordered 0:"), "{outline}");
    assert!(lines[1].starts_with("permutable 11:"), "{outline}");
    assert_eq!(lines[2..], ["sequence", "- S", "- T"], "{outline}");
}

fn cholesky() -> String {
    constraints(
        "N",
        &[
            "A[i, j, k] : 0 <= k < j < i < N",
            "B[i, j] : 0 <= j < i < N",
            "C[i, k] : 0 <= k < i < N",
            "D[i] : 0 <= i < N",
        ],
        &[
            "A[i, j, k] -> A[i, j, k + 1] : 0 <= k and k + 1 < j < i < N",
            "A[i, j, j - 1] -> B[i, j] : 1 <= j < i < N",
            "B[i, k] -> A[i, j, k] : 0 <= k < j < i < N",
            "B[j, k] -> A[i, j, k] : 0 <= k < j < i < N",
            "D[j] -> B[i, j] : 0 <= j < i < N",
            "C[i, k] -> C[i, k + 1] : 0 <= k and k + 1 < i < N",
            "B[i, k] -> C[i, k] : 0 <= k < i < N",
            "C[i, i - 1] -> D[i] : 1 <= i < N",
        ],
    )
}

fn outer_member_of(text: &str, options: &Options, size: i64) -> String {
    let outline = checked_outline(text, options, &[("N", size)], size);
    outline.lines().next().unwrap_or_default().trim().to_string()
}

/// Section 7.7.1, (129) (T-09): carrying the dependences of statements on themselves first leaves
/// the rest to inner levels.
#[test]
fn cholesky_carries_itself_first() {
    let outer = outer_member_of(&cholesky(), &Options::outer_parallel(), 5);
    assert_eq!(outer, "ordered 0: A -> (k); B -> (j); C -> (k); D -> (i)");
}

/// Section 6.4.4, (27) (T-09): all dependences at once need larger coefficients.
#[test]
fn cholesky_carries_everything() {
    let options = Options { carry_self_first: false, fuse: Fuse::Max, ..Options::outer_parallel() };
    let outer = outer_member_of(&cholesky(), &options, 5);
    assert_eq!(outer, "ordered 0: A -> (i+j+k); B -> (i+2j); C -> (2i+k); D -> (3i)");
}

/// T-09 (section 6.4.4, (26)): with 2000 rows, rational coefficients times their common denominator
/// are what made integers necessary. All that came later is switched off.
#[test]
fn t_09_cholesky_without_integers() {
    let text = cholesky().replace("[N] -> ", "").replace('N', "2000");
    let options = Options {
        carry_self_first: false,
        fuse: Fuse::Max,
        integer_carry: false,
        treat_coalescing: false,
        drop_bounds: false,
        lineality: false,
        split_scaled: false,
        ..Options::outer_parallel()
    };
    let (constraints, scheduled) = schedule_text(&text, &options);
    let wrong = violations(&constraints, &scheduled.tree);
    assert!(wrong.is_empty(), "{wrong:?}");
    let found = outline(&scheduled.tree);
    let expected =
        "ordered 0: A -> (3993j+1997k+1998); B -> (5991j+1997); C -> (3994i+1997k); D -> (5991i)";
    assert_eq!(found.lines().next(), Some(expected));
}

/// Section 6.7, (78) (T-09): the first member of a band without coincidence keeps distances short.
#[test]
fn cholesky_with_the_first_member_outside() {
    let options =
        Options { fallback: Fallback::FirstMember, fuse: Fuse::Max, ..Options::outer_parallel() };
    let outer = outer_member_of(&cholesky(), &options, 5);
    assert_eq!(outer, "ordered 0: A -> (k); B -> (j); C -> (k); D -> (i)");
}

/// Section 6.7, (79) (T-09): validity alone allows the loop over rows, which leaves no inner
/// parallelism.
#[test]
fn cholesky_with_a_valid_member_outside() {
    let options =
        Options { fallback: Fallback::Validity, fuse: Fuse::Max, ..Options::outer_parallel() };
    let outline = checked_outline(&cholesky(), &options, &[("N", 5)], 5);
    let members: Vec<&str> = outline.lines().map(str::trim).filter(|l| l.contains(": ")).collect();
    assert_eq!(members[0], "ordered 0: A -> (i); B -> (i); C -> (i); D -> (i)", "{outline}");
    // Flags are the word before the first colon.
    let is_sequential = |line: &&str| line.split(':').next().is_some_and(|f| !f.contains('1'));
    assert!(members.iter().all(is_sequential), "{outline}");
}

fn seidel() -> String {
    let cell = "0 <= t < T and 1 <= i < N - 1 and 1 <= j < N - 1";
    let mut pieces = Vec::new();
    for (dt, di, dj) in [
        (0, 0, 1),
        (0, 1, -1),
        (0, 1, 0),
        (0, 1, 1),
        (1, -1, -1),
        (1, -1, 0),
        (1, -1, 1),
        (1, 0, -1),
        (1, 0, 0),
    ] {
        pieces.push(format!(
            "S[t, i, j] -> S[t + {dt}, i + {di}, j + {dj}] : {cell} and t + {dt} < T and \
             1 <= i + {di} < N - 1 and 1 <= j + {dj} < N - 1"
        ));
    }
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    constraints("T, N", &[&format!("S[t, i, j] : {cell}")], &pieces)
}

/// Section 6.7 (T-11): single members of bands give back the original order, without parallelism.
#[test]
fn seidel_2d_with_first_members_is_the_original_order() {
    let options = Options { fallback: Fallback::FirstMember, ..Options::outer_parallel() };
    let outline = checked_outline(&seidel(), &options, &[("T", 3), ("N", 5)], 5);
    let expected = "ordered 0: S -> (t)\n  ordered 0: S -> (i)\n    ordered 0: S -> (j)";
    assert_eq!(outline, expected);
}

/// Section 6.7: the same from the original order itself.
#[test]
fn seidel_2d_with_the_original_loops_is_the_original_order() {
    let options = Options { fallback: Fallback::Original, ..Options::outer_parallel() };
    let outline = checked_outline(&seidel(), &options, &[("T", 3), ("N", 5)], 5);
    let expected = "ordered 0: S -> (t)\n  ordered 0: S -> (i)\n    ordered 0: S -> (j)";
    assert_eq!(outline, expected);
}

/// Section 6.7: below the original loop outside, what is left is scheduled anew; a loop that is not valid is
/// not taken.
#[test]
fn the_original_loop_outside_leaves_parallel_loops_inside() {
    let options = Options { fallback: Fallback::Original, ..Options::outer_parallel() };
    let text = "domain: \"[n] -> { S[t, i] : 0 <= t, i < n }\"\n\
                validity: \"[n] -> { S[t, i] -> S[t + 1, i']: 0 <= t < n - 1 and 0 <= i, i' < n }\"\n\
                coincidence: \"[n] -> { S[t, i] -> S[t + 1, i']: 0 <= t < n - 1 and 0 <= i, i' < n }\"\n";
    let outline = checked_outline(text, &options, &[("n", 4)], 5);
    assert_eq!(outline, "ordered 0: S -> (t)\n  permutable 1: S -> (i)");
    let backwards = text.replace("S[t + 1, i']: 0 <= t < n - 1", "S[t - 1, i']: 0 < t < n");
    let outline = checked_outline(&backwards, &options, &[("n", 4)], 5);
    assert!(outline.starts_with("ordered 0: S -> (-t"), "{outline}");
}

/// Section 6.6 (T-13): where one bound for two unrelated distances does not exist, the statements keep their
/// loops.
#[test]
fn unrelated_distances_together_keep_the_original_loops() {
    let domain = "[n, m] -> { A[]; B[i] : 0 <= i < n; C[]; D[i] : 0 <= i < m }";
    let relation = "[n, m] -> { A[] -> B[i] : 0 <= i < n; C[] -> D[i] : 0 <= i < m }";
    let text =
        format!("domain: \"{domain}\"\nvalidity: \"{relation}\"\nproximity: \"{relation}\"\n");
    for fallback in [Fallback::Feautrier, Fallback::Original] {
        let options = Options { fallback, fuse: Fuse::Max, ..Options::tiling() };
        let outline = checked_outline(&text, &options, &[("n", 3), ("m", 2)], 4);
        assert!(outline.contains("B -> (i)") && outline.contains("D -> (i)"), "{outline}");
    }
}

/// Section 6.6 (T-13): one bound for two unrelated distances of different parameters does not exist;
/// components that are independent each have theirs.
#[test]
fn unrelated_distances_are_bounded_apart() {
    let domain = "[n, m] -> { A[]; B[i] : 0 <= i < n; C[]; D[i] : 0 <= i < m }";
    let relation = "[n, m] -> { A[] -> B[i] : 0 <= i < n; C[] -> D[i] : 0 <= i < m }";
    let text = format!(
        "domain: \"{domain}\"\nvalidity: \"{relation}\"\nproximity: \"{relation}\"\n\
         coincidence: \"{relation}\"\n"
    );
    let outline = checked_outline(&text, &Options::tiling(), &[("n", 3), ("m", 2)], 4);
    let (first, second) = outline.split_once("- C").expect("two components");
    assert!(first.contains("B -> (i)") && second.contains("D -> (i)"), "{outline}");
}

/// Section 7.2, listing 26 (T-18), with the grouped statements as they are given there.
#[test]
fn nussinov_runs_along_diagonals() {
    let domain = [
        "C[i, j] : i >= 0 and 2 + i <= j < N",
        "E[i, j, k] : i >= 0 and j < N and i < k < j",
        "D[i, j] : j = 1 + i and 0 <= i <= -2 + N",
        "G[a, j] : a <= 0 and -a < j < N",
    ];
    let relation = [
        // In a cell: the group, then the pairing, then the splits.
        "G[a, j] -> C[-a, j] : a <= 0 and 2 - a <= j < N",
        "G[a, j] -> D[-a, j] : a <= 0 and j = 1 - a and j < N",
        "C[i, j] -> E[i, j, i + 1] : i >= 0 and 2 + i <= j < N",
        "E[i, j, k] -> E[i, j, k + 1] : i >= 0 and i < k and k + 1 < j < N",
        // From the cells to the left and below.
        "E[i, j, j - 1] -> G[-i, j + 1] : i >= 0 and 2 + i <= j and j + 1 < N",
        "D[i, j] -> G[-i, j + 1] : i >= 0 and j = i + 1 and j + 1 < N",
        "E[i, j, j - 1] -> G[1 - i, j] : i >= 1 and 2 + i <= j < N",
        "D[i, j] -> G[1 - i, j] : i >= 1 and j = i + 1 and j < N",
        "E[i, j, j - 1] -> C[i - 1, j + 1] : i >= 1 and 2 + i <= j and j + 1 < N",
        "D[i, j] -> C[i - 1, j + 1] : i >= 1 and j = i + 1 and j + 1 < N",
        "E[i, k, k - 1] -> E[i, j, k] : i >= 0 and 2 + i <= k < j < N",
        "D[i, k] -> E[i, j, k] : i >= 0 and k = i + 1 and k < j < N",
        "E[k, j, j - 1] -> E[i, j, k - 1] : 0 <= i < k - 1 and 2 + k <= j < N",
        "D[k, j] -> E[i, j, k - 1] : 0 <= i < k - 1 and j = k + 1 and j < N",
    ];
    let text = constraints("N", &domain, &relation);
    let options = Options { fuse: Fuse::Max, ..Options::outer_parallel() };
    let outline = checked_outline(&text, &options, &[("N", 4)], 4);
    let first = outline.lines().next().unwrap_or_default();
    assert_eq!(first, "ordered 0: C -> (-i+j); D -> (1); E -> (-i+j); G -> (a+j)");
    let second = outline.lines().nth(1).unwrap_or_default().trim();
    // Either coordinate of a cell may come first inside, and is parallel.
    assert!(second.starts_with("permutable 10:"), "{outline}");
}

/// Section 7.6 (T-20): loops of 8, 8, 5 and 5 iterations are not flattened.
#[test]
fn small_constant_loops_are_not_flattened() {
    let relation = "{ S[n, p, j, k] -> S[n + 1, p, j - 1, k] : 0 <= n < 7 and 0 <= p < 8 and \
                    1 <= j < 5 and 0 <= k < 5; S[n, p, j, k] -> S[n, p + 1, j, k - 1] : \
                    0 <= n < 8 and 0 <= p < 7 and 0 <= j < 5 and 1 <= k < 5 }";
    let text = format!(
        "domain: \"{{ S[n, p, j, k] : 0 <= n < 8 and 0 <= p < 8 and 0 <= j < 5 and 0 <= k < 5 }}\"\n\
         validity: \"{relation}\"\nproximity: \"{relation}\"\ncoincidence: \"{relation}\"\n"
    );
    for options in [Options::tiling(), Options::outer_parallel()] {
        let outline = checked_outline(&text, &options, &[], 4);
        for digit in ["4", "5", "6", "7", "8", "9"] {
            assert!(!outline.contains(digit), "a large coefficient: {outline}");
        }
    }
}

fn durbin() -> String {
    constraints(
        "N",
        &[
            "D[k] : 0 < k < N",
            "E[k] : 0 < k < N",
            "F[k, i] : k < N and 0 <= i < k",
            "G[k] : 0 < k < N",
            "H[k, i] : k < N and 0 <= i < k",
            "I[k, i] : k < N and 0 <= i < k",
            "J[k] : 0 < k < N",
        ],
        &[
            "D[k] -> D[k + 1] : 0 < k < N - 1",
            "G[k] -> D[k + 1] : 0 < k < N - 1",
            "D[k] -> G[k] : 0 < k < N",
            "E[k] -> F[k, 0] : 0 < k < N",
            "F[k, i] -> F[k, i + 1] : k < N and 0 <= i < k - 1",
            "F[k, k - 1] -> G[k] : 0 < k < N",
            "G[k] -> E[k + 1] : 0 < k < N - 1",
            "G[k] -> H[k, i] : k < N and 0 <= i < k",
            "H[k, i] -> G[k + 1] : k < N - 1 and 0 <= i < k",
            "H[k, i] -> I[k, i] : k < N and 0 <= i < k",
            "H[k, i] -> I[k, k - i - 1] : k < N and 0 <= i < k",
            "I[k, i] -> H[k + 1, i] : k < N - 1 and 0 <= i < k",
            "I[k, i] -> H[k + 1, k - i] : k < N - 1 and 0 <= i < k",
            "I[k, i] -> F[k + 1, i] : k < N - 1 and 0 <= i < k",
            "I[k, i] -> I[k + 1, i] : k < N - 1 and 0 <= i < k",
            "F[k, i] -> I[k, i] : k < N and 0 <= i < k",
            "G[k] -> J[k] : 0 < k < N",
            "J[k] -> G[k + 1] : 0 < k < N - 1",
            "J[k] -> F[k + 1, k] : 0 < k < N - 1",
            "J[k] -> H[k + 1, k] : 0 < k < N - 1",
            "J[k] -> H[k + 1, 0] : 0 < k < N - 1",
            "J[k] -> I[k + 1, k] : 0 < k < N - 1",
        ],
    )
}

/// Section 7.7.2, listing 36 (T-26): with self-dependences first no statement is shifted.
#[test]
fn durbin_keeps_its_outer_loop() {
    let outline = checked_outline(&durbin(), &Options::outer_parallel(), &[("N", 5)], 5);
    let first = outline.lines().next().unwrap_or_default();
    let expected =
        "ordered 0: D -> (k); E -> (k); F -> (k); G -> (k); H -> (k); I -> (k); J -> (k)";
    assert_eq!(first, expected, "{outline}");
    assert!(outline.contains("permutable 1: H -> (i)"), "{outline}");
    assert!(outline.contains("permutable 1: I -> (i)"), "{outline}");
}

/// The order inside of the outer loop of listing 35, below the outer row of that listing.
fn published_durbin() -> ScheduleTree {
    let domain = "[N] -> { D[k] : 0 < k < N; E[k] : 0 < k < N; F[k, i] : k < N and 0 <= i < k; \
        G[k] : 0 < k < N; H[k, i] : k < N and 0 <= i < k; I[k, i] : k < N and 0 <= i < k; \
        J[k] : 0 < k < N }";
    let rows = "D[k] -> [(k)]; E[k] -> [(k)]; F[k, i] -> [(k)]; G[k] -> [(k)]; H[k, i] -> [(k)]; \
        I[k, i] -> [(1 + k)]; J[k] -> [(k)]";
    let mut text = format!(
        "domain: \"{domain}\"\nchild:\n  schedule: \"[N] -> [{{ {rows} }}]\"\n  child:\n    sequence:\n"
    );
    for (statement, has_loop, is_parallel) in [
        ("I[k, i]", true, true),
        ("E[k]", false, false),
        ("F[k, i]", true, false),
        ("D[k]", false, false),
        ("G[k]", false, false),
        ("H[k, i]", true, true),
        ("J[k]", false, false),
    ] {
        text += &format!("    - filter: \"[N] -> {{ {statement} }}\"\n");
        if has_loop {
            text += &format!(
                "      child:\n        schedule: \"[N] -> [{{ {statement} -> [(i)] }}]\"\n"
            );
        }
        if is_parallel {
            text += "        permutable: 1\n        coincident: [ 1 ]\n";
        }
    }
    ScheduleTree::parse(&text).expect("the tree parses")
}

/// T-26 (section 7.7.2, listing 35): carrying everything at once shifts `I` into the next
/// iteration. The statements of an iteration that do not depend on each other are tied.
#[test]
fn t_26_durbin_shifts_a_loop_when_all_is_carried_at_once() {
    let options = Options { carry_self_first: false, ..Options::outer_parallel() };
    let (constraints, scheduled) = schedule_text(&durbin(), &options);
    let published = published_durbin();
    for tree in [&scheduled.tree, &published] {
        let wrong = violations(&constraints, tree);
        assert!(wrong.is_empty(), "{wrong:?}\n{tree}");
    }
    let (found, expected) = (outline(&scheduled.tree), outline(&published));
    assert_eq!(found.lines().next(), expected.lines().next());
    let sorted_bands = |text: &str| {
        let mut bands: Vec<String> = text
            .lines()
            .map(|line| line.trim().to_string())
            .filter(|line| line.starts_with("permutable") || line.starts_with("ordered"))
            .collect();
        bands.sort();
        bands
    };
    assert_eq!(sorted_bands(&found), sorted_bands(&expected));
}

/// A merge that would need a shift in the outermost parallel loop is refused.
#[test]
fn typed_fusion_never_loses_an_outer_parallel_loop() {
    let text = constraints(
        "N",
        &["A[i, j] : 0 <= i < N and 0 <= j < N", "B[i, j] : 0 <= i < N and 0 <= j < N"],
        &[
            "A[i, j] -> B[i - 1, j] : 1 <= i < N and 0 <= j < N",
            "A[i, j] -> B[i, j - 1] : 0 <= i < N and 1 <= j < N",
        ],
    );
    for (fuse, parallel) in [(Fuse::Typed, true), (Fuse::Smart, true), (Fuse::Min, true)] {
        let options = Options { fuse, ..Options::tiling() };
        let outline = checked_outline(&text, &options, &[("N", 4)], 4);
        let outer = |line: &&str| line.contains("permutable") || line.contains("ordered");
        let is_parallel = outline.lines().filter(outer).all(|line| line.contains("permutable 1"));
        assert_eq!(is_parallel, parallel, "{fuse:?}: {outline}");
    }
}

/// A merge that keeps one of two parallel loops: enough for `typed`, not for `smart`.
#[test]
fn typed_fusion_gives_up_inner_parallel_loops() {
    let text = constraints(
        "N",
        &["A[i, j] : 0 <= i < N and 0 <= j < N", "B[i, j] : 0 <= i < N and 0 <= j < N"],
        &[
            "A[i, j] -> B[i, j] : 0 <= i < N and 0 <= j < N",
            "A[i, j] -> B[i, j + 1] : 0 <= i < N and 0 <= j < N - 1",
        ],
    );
    let outline = |fuse| {
        let options = Options { fuse, ..Options::tiling() };
        checked_outline(&text, &options, &[("N", 4)], 4)
    };
    let merged = "permutable 10: A -> (i, j); B -> (i, j)\n  sequence\n  - A\n  - B";
    let apart = "sequence\n- A\n  permutable 11: A -> (i, j)\n- B\n  permutable 11: B -> (i, j)";
    assert_eq!(outline(Fuse::Typed), merged);
    assert_eq!(outline(Fuse::Smart), apart);
}
