//! Schedules that are given: checked against the constraints, printed with the flags that are true.
use std::path::{Path, PathBuf};
use std::process::Command;

const CONSTRAINTS: &str = r#"domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n }"
context: "[n] -> { : n >= 1 }"
validity: "[n] -> { S[i, j] -> S[i + 1, j - 1]; S[i, j] -> T[i]; T[i] -> S[i + 1, j] }"
coincidence: "[n] -> { S[i, j] -> S[i + 1, j - 1]; S[i, j] -> T[i]; T[i] -> S[i + 1, j] }"
"#;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("given_schedule");
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    folder
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, text).expect("a temporary file can be written");
    path
}

/// Status, output and errors of `loopwright schedule` for constraints and a given schedule.
fn check(name: &str, constraints: &str, schedule: &str) -> (i32, String, String) {
    let constraints = file(&format!("{name}.sc"), constraints);
    let schedule = file(&format!("{name}.st"), schedule);
    let output = Command::new(env!("CARGO_BIN_EXE_loopwright"))
        .arg("schedule")
        .arg(constraints)
        .arg("--schedule")
        .arg(schedule)
        .output()
        .expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn accepted(name: &str, constraints: &str, schedule: &str) -> String {
    let (status, output, errors) = check(name, constraints, schedule);
    assert_eq!((status, errors.as_str()), (0, ""), "{output}");
    output
}

fn refused(name: &str, constraints: &str, schedule: &str) -> String {
    let (status, output, errors) = check(name, constraints, schedule);
    assert_eq!((status, output.as_str()), (1, ""), "{errors}");
    errors
}

#[test]
fn flags_of_a_legal_tree_are_those_that_are_true() {
    let tree = r#"domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i] -> [(i)] }]"
  coincident: [ 1 ]
  child:
    sequence:
    - filter: "[n] -> { S[i, j] }"
      child:
        schedule: "[n] -> [{ S[i, j] -> [(-j)] }]"
    - filter: "[n] -> { T[i] }"
"#;
    let printed = accepted("tree", CONSTRAINTS, tree);
    let expected = tree.replace("  coincident: [ 1 ]\n", "  permutable: 1\n").replace(
        "[(-j)] }]\"\n",
        "[(-j)] }]\"\n        permutable: 1\n        coincident: [ 1 ]\n",
    );
    assert_eq!(printed, expected);
}

#[test]
fn a_band_that_only_its_order_makes_legal_is_not_permutable() {
    let constraints = r#"domain: "{ S[i, j] : 0 <= i, j < 9 }"
validity: "{ S[i, j] -> S[i + 1, j - 1] }"
"#;
    let printed = accepted("map", constraints, "{ S[i, j] -> [i, j] }");
    assert!(!printed.contains("permutable"), "{printed}");
    assert!(printed.contains("coincident: [ 1, 1 ]"), "{printed}");
    let printed = accepted("skewed", constraints, "{ S[i, j] -> [i, i + j] }");
    assert!(printed.contains("permutable: 1"), "{printed}");
}

#[test]
fn maps_may_be_piecewise_and_have_constants() {
    let map =
        "[n] -> { S[i, j] -> [i, 0, j] : j < 5; S[i, j] -> [i, 0, j] : j >= 5; T[i] -> [i, 1, 0] }";
    let printed = accepted("constants", CONSTRAINTS, map);
    assert!(printed.contains("{ S[i, j] -> [(j)]; T[i] -> [(0)] }"), "{printed}");
}

#[test]
fn the_first_violated_pair_is_shown() {
    let constraints = r#"domain: "[n] -> { S[i] : 0 <= i < n }"
validity: "[n] -> { S[i] -> S[i + 2] : 0 <= i < n - 2 }"
"#;
    let reversed = refused("reversed", constraints, "[n] -> { S[i] -> [-i] }");
    assert!(
        reversed.contains("not legal") && reversed.contains("S[0] -> S[2] with n = 3"),
        "{reversed}"
    );
    let unordered = refused("unordered", constraints, "[n] -> { S[i] -> [floor(i / 4)] }");
    assert!(unordered.contains("not ordered") && unordered.contains("S[0] -> S[2]"), "{unordered}");
    let set = r#"domain: "{ A[]; B[] }"
child:
  set:
  - filter: "{ A[] }"
  - filter: "{ B[] }"
"#;
    let pair = "domain: \"{ A[]; B[] }\"\nvalidity: \"{ A[] -> B[] }\"\n";
    let any_order = refused("set", pair, set);
    assert!(any_order.contains("A[] -> B[]"), "{any_order}");
    accepted("sequence", pair, &set.replace("set:", "sequence:"));
    let swapped = set.replace("set:", "sequence:").replace("A[] }\"\n  -", "X\"\n  -");
    let swapped = swapped.replace("{ B[] }\"\n", "{ A[] }\"\n").replace("{ X", "{ B[] }");
    let wrong = refused("swapped", pair, &swapped);
    assert!(wrong.contains("A[] -> B[]") || wrong.contains("malformed"), "{wrong}");
}

#[test]
fn conditions_count_with_their_tags() {
    let constraints = |tag: &str| {
        format!(
            "domain: \"{{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }}\"\n\
             validity: \"{{ S[i] -> T[i] }}\"\n\
             condition: \"{{ [S[i] -> W[]] -> [T[i] -> R[]] }}\"\n\
             conditional_validity: \"{{ [T[i] -> {tag}[]] -> [S[i + 1] -> W[]] }}\"\n"
        )
    };
    // All of S before all of T: the conditions are apart, and the conditional pairs reversed.
    let apart = "{ S[i] -> [0, i]; T[i] -> [1, i] }";
    let text = refused("conditions", &constraints("R"), apart);
    assert!(text.contains("conditional validity"), "{text}");
    // One iteration after the other: the conditions are not separated by the outer member.
    accepted("conditions_together", &constraints("R"), "{ S[i] -> [i, 0]; T[i] -> [i, 1] }");
    // With another tag the pair is next to the condition at its other end.
    let text = refused("other_tag", &constraints("Q"), apart);
    assert!(text.contains("conditional validity"), "{text}");
    let elsewhere = constraints("Q").replace("[S[i + 1] -> W[]] }", "[S[i + 1] -> V[]] }");
    accepted("no_neighbour", &elsewhere, apart);
}

#[test]
fn a_prefix_separates_pairs() {
    let constraints = r#"domain: "[n] -> { S[i, j] : 0 <= i, j < n }"
prefix: "[n] -> [{ S[i, j] -> [(i)] }]"
validity: "[n] -> { S[i, j] -> S[i + 1, j - 1]; S[i, j] -> S[i, j + 1] }"
"#;
    accepted("prefix", constraints, "[n] -> { S[i, j] -> [j] }");
    let without: String = constraints
        .lines()
        .filter(|l| !l.starts_with("prefix"))
        .map(|l| format!("{l}\n"))
        .collect();
    refused("no_prefix", &without, "[n] -> { S[i, j] -> [j] }");
}

#[test]
fn schedules_for_something_else_are_refused() {
    let constraints = "domain: \"{ S[i] : 0 <= i < 9 }\"\n";
    let smaller = "domain: \"{ S[i] : 0 <= i < 8 }\"\n";
    assert!(refused("domain", constraints, smaller).contains("domain"));
    assert!(refused("no_time", constraints, "{ S[i] -> [i] : i < 5 }").contains("S[i]"));
    assert!(refused("two_times", constraints, "{ S[i] -> [a] : 0 <= a <= 1 }").contains("times"));
    assert!(refused("garbage", constraints, "{ S[i -> ").contains("reading"));
    let malformed = "domain: \"{ S[i] : 0 <= i < 9 }\"\nchild:\n  sequence:\n  - filter: \"{ S[i] : i < 5 }\"\n";
    assert!(refused("malformed", constraints, malformed).contains("malformed"));
}

/// What the scheduler prints is accepted, with the same flags.
#[test]
fn computed_schedules_are_confirmed() {
    for (name, constraints) in [
        ("own", CONSTRAINTS),
        (
            "own_periodic",
            "domain: \"[T, n] -> { S[t, i] : 0 <= t < T and 0 <= i < n }\"\n\
             context: \"[T, n] -> { : T >= 1 and n >= 1 }\"\n\
             validity: \"[T, n] -> { S[t, i] -> S[t + 1, i + 1]; S[t, i] -> S[t + 1, 0] : i = n - 1; \
             S[t, i] -> S[t + 1, i - 1]; S[t, i] -> S[t + 1, n - 1] : i = 0 }\"\n",
        ),
    ] {
        let path = file(&format!("{name}_plain.sc"), constraints);
        let output = Command::new(env!("CARGO_BIN_EXE_loopwright"))
            .arg("schedule")
            .arg(path)
            .output()
            .expect("the command runs");
        let computed = String::from_utf8_lossy(&output.stdout).into_owned();
        let plain: Vec<&str> = computed
            .lines()
            .filter(|line| !line.contains("permutable:") && !line.contains("coincident:"))
            .collect();
        assert_eq!(accepted(name, constraints, &plain.join("\n")), computed);
    }
}

/// Of a tree around the only band, what is said by `loopwright schedule`.
fn around_band(name: &str, node: &str) -> (i32, String) {
    let constraints = "domain: \"[n] -> { S[i] : 1 <= i < n }\"\n";
    let tree = format!(
        "{{ domain: \"[n] -> {{ S[i] : 1 <= i < n }}\", child: {{ {node}, child: {{ \
         schedule: \"[n] -> [{{ S[i] -> [i] }}]\" }} }} }}"
    );
    let (status, _, errors) = check(name, constraints, &tree);
    (status, errors)
}

/// Nodes that leave nothing out are taken; others, and those that add instances, are refused by their names.
#[test]
fn nodes_that_change_what_runs_are_refused_by_name() {
    for kind in ["context", "guard"] {
        let implied = around_band(kind, &format!("{kind}: \"[n] -> {{ [] : n >= -5 }}\""));
        let (status, errors) = implied;
        // Instances exist for `n >= 2` only.
        assert_eq!((status, errors.as_str()), (0, ""), "{kind}");
        let (status, errors) = around_band(kind, &format!("{kind}: \"[n] -> {{ [] : n >= 10 }}\""));
        assert_eq!(status, 1);
        let said = format!("has a `{kind}` node that does not hold for all instances below it");
        assert!(errors.contains(&said) && errors.contains("leaves out"), "{errors}");
    }
    let added = "extension: \"[n] -> { [] -> T[i] : 0 <= i < n }\"";
    let (status, errors) = around_band("extension", added);
    assert_eq!(status, 1);
    assert!(errors.contains("has an `extension` node, which is not supported"), "{errors}");
    assert!(!errors.contains("defect"), "{errors}");
}

/// Kills separate lives of elements and are not scheduled themselves: without reordering of live ranges their
/// order is kept all the same.
#[test]
fn lives_that_kills_separate_stay_in_order_without_reordering() {
    use loopwright::{CompileOptions, Scheduler, compile_text};
    let text = "void f(int n, double A[restrict n][n], double B[restrict n][n]) {\n#pragma scop\n  \
                for (int i = 0; i < n; i++) {\n    double t[100];\n    for (int j = 0; j < 100; j++)\n      \
                t[j] = A[i][j];\n    for (int j = 0; j < 100; j++)\n      B[i][j] = t[99 - j] + 1;\n  }\n\
                #pragma endscop\n}\n";
    for scheduler in [Scheduler::Pluto, Scheduler::Feautrier] {
        let options = CompileOptions {
            scheduler,
            live_range_reordering: false,
            always_rewrite: true,
            ..CompileOptions::new()
        };
        let report = compile_text("f.c", text, &options).expect("a result").report.to_string();
        assert!(!report.contains("was rejected"), "{report}");
    }
}
