//! `loopwright explain`: the dependences of loops and what became of them.
use loopwright::{CompileOptions, explain_file};
use std::path::PathBuf;
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("loopwright-explain-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What is said about a line of a function body that begins at line 2.
#[track_caller]
fn explain(name: &str, body: &str, line: u32) -> String {
    let folder = folder(name);
    let path = folder.join("f.c");
    let text = format!(
        "void f(int n, double A[restrict n][n], double x[restrict n], double s, double *out) {{\n\
         {body}\n  *out = s;\n}}\n"
    );
    std::fs::write(&path, &text).unwrap();
    let mut options = CompileOptions::new();
    options.machine = loopwright_machine::Machine::generic();
    options.always_rewrite = true;
    let text = explain_file(&path, Some(line), &options).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    text
}

#[track_caller]
fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

const SKEWED: &str = "  for (int i = 1; i < n; i++)\n    for (int j = 0; j < n - 1; j++)\n      \
                      A[i][j] += A[i - 1][j + 1];";

#[test]
fn dependences_are_shown_with_instances_element_and_distance() {
    let text = explain("skewed", SKEWED, 2);
    assert_says(
        &text,
        &[
            "f.c:2: for (int i = 1; i < n; i++)   in f",
            "statements: S0 (line 4)",
            "not parallel as it stands",
            "A: S0 (line 4) reads what S0 (line 4) has written (flow dependence)",
            "and then S0[i = ",
            " on A[",
            "distance: i: 1, j: -1",
            "so the order is kept",
            "not tilable with the loop of line 3",
            "i became c",
        ],
    );
}

#[test]
fn the_loop_inside_is_parallel() {
    let text = explain("inner", SKEWED, 3);
    assert_says(&text, &["f.c:3:", "parallel: no two iterations depend on each other"]);
    // A line in the body means the innermost loop around it.
    assert_says(&explain("body", SKEWED, 4), &["f.c:3:"]);
}

#[test]
fn copies_and_reductions_are_named() {
    let body = "  for (int i = 0; i < n; i++) {\n    double t = x[i];\n    A[i][0] = t * t;\n  }\n  \
                for (int i = 0; i < n; i++)\n    s += x[i];";
    assert_says(&explain("copies", body, 2), &["parallel: no two", "own copy of t"]);
    let sum = explain("sum", body, 6);
    assert_says(&sum, &["s: S", "distance: i: 1", "--reassociate"]);
}

#[test]
fn what_prevents_fusion_is_shown() {
    let body = "  for (int i = 0; i < n; i++)\n    s += A[i][0];\n  \
                for (int i = 0; i < n; i++)\n    x[i] = s;";
    let text = explain("fusion", body, 2);
    assert_says(
        &text,
        &["not fused with the loop of line 4", "s: S1 (line 5) reads what S0 (line 3)"],
    );
    let body = "  for (int i = 0; i < n; i++)\n    x[i] = A[i][0];\n  for (int i = 0; i < n; i++)\n    \
                A[i][1] = x[i];";
    assert_says(&explain("fused", body, 2), &["fused with the loop of line 4"]);
}

#[test]
fn descending_loops_are_understood() {
    let body = "  for (int i = n - 2; i >= 0; i--)\n    for (int j = n - 2; j >= 0; j--)\n      \
                A[i][j] += A[i + 1][j + 1];";
    let text = explain("down", body, 2);
    assert_says(&text, &["distance: i: -1, j: -1", "\n  tilable with the loop of line 3"]);
}

#[test]
fn refused_loops_say_why() {
    let body = "  for (int i = 0; i < n; i++)\n    x[i] = unknown;";
    let text = explain("refused", body, 2);
    assert_says(
        &text,
        &["it cannot be part of a region", "error[CF11]: `unknown` is not declared"],
    );
}

#[test]
fn the_command_takes_lines_and_codes() {
    let folder = folder("command");
    let program = "void f(double *a) {\n  for (int i = 1; i < 9; i++)\n    a[i] = a[i - 1];\n}\n";
    std::fs::write(folder.join("f.c"), program).unwrap();
    let run = |argument: &str| {
        let command = env!("CARGO_BIN_EXE_loopwright");
        let output = Command::new(command)
            .args(["explain", argument])
            .current_dir(&folder)
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].map(|t| String::from_utf8(t).unwrap()).concat();
        (output.status.code(), text)
    };
    assert_says(&run("f.c:2").1, &["f.c:2:", "distance: i: 1"]);
    assert_says(&run("f.c").1, &["f.c:2:"]);
    assert_says(&run("CF12").1, &["CF12: a call", "The way out"]);
    assert_eq!(run("f.c:1").0, Some(1));
    assert_says(&run("f.c:1").1, &["there is no loop at f.c:1"]);
    assert_eq!(run("missing.c").0, Some(1));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn calls_that_stay_in_order_are_no_variable() {
    let body = "#pragma scop\n  for (int i = 0; i < n; i++)\n    printf(\"%g\\n\", x[i]);\n#pragma endscop";
    let text = explain("calls", body, 3);
    let parts = [
        "calls stay in order: S0 (line 4) comes after S0 (line 4)",
        "S0[i = 0] and then S0[i = 1]",
    ];
    assert_says(&text, &parts);
    assert_eq!(text.matches("calls stay in order").count(), 1, "{text}");
    assert!(!text.contains("order_of_calls"), "{text}");
}

#[test]
fn what_is_stored_after_a_loop_is_not_in_it() {
    let last = "  int i;\n#pragma scop\n  for (i = 0; i < n; i++)\n    x[i] = 0;\n#pragma endscop\n  s = i;";
    assert_says(&explain("last", last, 4), &["parallel: no two iterations depend on each other"]);
}

#[test]
fn the_last_test_of_a_loop_is_not_in_it() {
    let counted = "  double *p = x;\n#pragma scop\n  while (n--)\n    *p++ = s;\n#pragma endscop";
    let expected = ["S1 (line 5)", "parallel: no two iterations depend on each other"];
    assert_says(&explain("tested", counted, 4), &expected);
}

#[test]
fn loops_around_one_statement_are_explained() {
    let halved = "#pragma scop\n  for (int i = 0; i < n; i++)\n    while (x[i] > s)\n      x[i] = 0.5 * x[i];\n\
                  #pragma endscop";
    assert_says(
        &explain("around", halved, 3),
        &["parallel: no two iterations depend on each other"],
    );
    assert_says(&explain("inside", halved, 4), &["in which it is no loop of the model"]);
}
