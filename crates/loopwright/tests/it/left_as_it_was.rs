//! Regions that stay as they were: because nothing is gained, or, by a condition on sizes, because there is
//! little to do.

use crate::support::{run_c, scratch};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Writes a program and compiles it with options; the text of the result, what is remarked, and the output.
#[track_caller]
fn compiled(name: &str, text: &str, options: &[&str]) -> (String, String) {
    let (path, output) = run(name, text, options);
    let remarks = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {remarks}");
    let result = std::fs::read(path.with_extension("out.c")).expect("the result is written");
    (String::from_utf8_lossy(&result).into_owned(), remarks)
}

fn run(name: &str, text: &str, options: &[&str]) -> (PathBuf, Output) {
    let path = scratch("left").join(format!("{name}.c"));
    std::fs::write(&path, text).expect("the folder for tests can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    command.arg("compile").arg(&path).arg("-o").arg(path.with_extension("out.c")).args(options);
    (path, command.output().expect("the command runs"))
}

/// Regions in which nothing is gained, as people write them.
const NOTHING_GAINED: [(&str, &str); 6] = [
    (
        "sum_of_products",
        "double f(int n, const double *restrict x, const double *restrict y) {\n  double s = 0;\n#pragma scop\n  \
         for (int i = 0; i < n; ++i)   // a comment\n    s += x [i]*y[ i ];  /* another\n one */\n#pragma endscop\n  return s;\n}\n",
    ),
    (
        "recurrence",
        "#define AT(i) x[(i)]\n#define EACH(i) for (int i = 1; i < n; i++)\nvoid f(int n, double *restrict x) {\n#pragma scop\n\
         \tEACH(i) { AT(i) = 0.5 * AT(i - 1); }\n#pragma endscop\n}\n",
    ),
    (
        "straight_line",
        "void f(double *restrict x) {\n#pragma scop\n  x[0] = 1;   x[1] = x[0] + 2;\n#pragma endscop\n}\n",
    ),
    (
        "jumps",
        "int f(int n, int key, int *restrict a, int *restrict where) {\n#pragma scop\n  /* Looks\n     for it. */\n  \
         for (int i = 0; i < n; i++) {\n    if (a[i] == key) {\n      where[0] = i;\n      goto found;\n    }\n    where[0] = -1;\n  \
         found:\n    if (where[0] >= 0)\n      break;\n  }\n#pragma endscop\n  return where[0];\n}\n",
    ),
    (
        "inside_of_a_condition",
        "double f(int n, int c, double *restrict x) {\n  double s = 0;\n  if (c) {\n#pragma scop\n\t  for (int i = 0; i < n; i++)\n      \
         s = s * x[i] + 1;\n#pragma endscop\n  }\n  return s;\n}\n",
    ),
    (
        "checked_condition",
        "double f(unsigned n, const double *restrict x) {\n  double s = 0;\n#pragma scop\n  for (unsigned i = 0; i + 1 < n; i++)\n    \
         s = s * x[i + 1];\n#pragma endscop\n  return s;\n}\n",
    ),
];

#[test]
fn what_gains_nothing_is_left_byte_for_byte() {
    for (name, text) in NOTHING_GAINED {
        for (form, text) in [("lf", text.to_string()), ("crlf", text.replace('\n', "\r\n"))] {
            let (result, report) = compiled(&format!("{name}_{form}"), &text, &[]);
            assert_eq!(result, text, "{name}");
            assert!(report.contains("  as it is written: there is nothing to prove\n"), "{report}");
            assert!(
                report.contains("note: the region stays as it is written: nothing is gained"),
                "{report}"
            );
            for wrong in ["proved:", "verified", "checked at run time", "a limit was reached"] {
                assert!(!report.contains(wrong), "{wrong}: {report}");
            }
        }
    }
}

#[test]
fn nothing_is_called_proved_where_nothing_is_new() {
    let (_, text) = NOTHING_GAINED[0];
    let folder = scratch("left");
    let page = folder.join("nothing.html");
    compiled("page", text, &["--report", page.to_str().unwrap()]);
    let page = std::fs::read_to_string(page).expect("the page is written");
    assert!(page.contains("left as it was") && !page.contains("class=\"good\""), "{page}");
    let json = folder.join("nothing.json");
    compiled("json", text, &["--report", json.to_str().unwrap()]);
    let json = std::fs::read_to_string(json).expect("the report is written");
    let json: Value = serde_json::from_str(&json).expect("it is JSON");
    let region = &json["regions"][0];
    assert_eq!(region["left_as_it_was"], true);
    assert_eq!(region["proofs"], Value::Array(Vec::new()));
    assert_eq!(region["code"], Value::Null);
    assert_ne!(region["schedule"], Value::Null);
}

/// Options that ask for new loops get them, and what gains something is rewritten.
#[test]
fn what_is_asked_for_is_done() {
    let (_, sum) = NOTHING_GAINED[0];
    for options in [
        &["--always-rewrite"][..],
        &["--scheduler", "none"],
        &["--strategy", "hull"],
        &["--reassociate"],
    ] {
        let (result, report) = compiled("asked", sum, options);
        assert!(result.contains("c0 <") && report.contains("  proved: "), "{options:?}: {result}");
    }
    let columns = "void f(int n, double a[restrict n][n], double *restrict s) {\n#pragma scop\n  for (int j = 0; j < n; j++)\n    \
                   for (int i = 0; i < n; i++)\n      s[j] += a[i][j];\n#pragma endscop\n}\n";
    let (result, report) = compiled("columns", columns, &["--target", "c"]);
    assert!(result.contains("for (long c") && !report.contains("as it is written"), "{result}");
    let dead = "void f(int n, int *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++) {\n    a[0] = i;\n    a[0] = a[0] + 1;\n  }\n\
                #pragma endscop\n}\n";
    let (result, _) = compiled("dead", dead, &["--eliminate-dead-code"]);
    assert!(!result.contains("for (int i"), "{result}");
}

/// A program that calls its region for several sizes.
fn program(region: &str, declarations: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n{declarations}\n\
         void f(int n, double *restrict a, const double *restrict b) {{\n#pragma scop\n{region}#pragma endscop\n}}\n\
         int main(void) {{\n  int sizes[] = {{0, 1, 8, 16666, 16667, 50000}};\n  for (int k = 0; k < 6; k++) {{\n    \
         int n = sizes[k];\n    double *a = malloc((n + 1) * sizeof(double)), *b = malloc((n + 1) * sizeof(double)), s = 0;\n    \
         for (int i = 0; i <= n; i++) {{ a[i] = i % 13; b[i] = i % 7; }}\n    f(n, a, b);\n    \
         for (int i = 0; i <= n; i++) s += a[i] * (i % 5);\n    printf(\"%.17g\\n\", s);\n    free(a); free(b);\n  }}\n  return 0;\n}}\n"
    )
}

#[test]
fn small_regions_run_as_they_were() {
    let own = "  for (int i = 0; i < n; i++) // each\n    a[i] += 2 * b[i];\n";
    let text = program(own, "");
    let (result, report) = compiled("axpy", &text, &[]);
    let expected = format!("  }} else {{\n{own}  }}\n");
    let parallel =
        "  if (n >= 16667) {\n    #pragma omp parallel for if(loopwright_default_floats())\n";
    assert!(result.contains(parallel) && result.contains(&expected), "{result}");
    assert!(report.contains("note: checked at run time: `n >= 16667`"), "{report}");
    let folder = scratch("left");
    let before = run_c(&text, &folder, "axpy_before").expect("it is C");
    assert_eq!(run_c(&result, &folder, "axpy_after").expect("it is C"), before);
    let (always, report) = compiled("axpy_always", &text, &["--always-rewrite"]);
    assert!(!always.contains("if (n >=") && !report.contains("run time: `n"), "{always}");
    assert_eq!(run_c(&always, &folder, "axpy_always").expect("it is C"), before);
}

/// What is known when the program is compiled is decided then, and what one instance does may be much.
#[test]
fn known_sizes_have_no_condition() {
    let loops = |bound: &str, body: &str| {
        program(
            &format!("  for (int i = 0; i < {bound}; i++)\n    {body}\n"),
            "double heavy(double);\n",
        )
        .replace("int main", "double heavy(double x) { return x / 3; }\nint main")
    };
    let (result, _) = compiled("large", &loops("500000", "a[i] += b[i];"), &[]);
    assert!(
        result.contains("{\n  #pragma omp parallel for if(loopwright_default_floats())\n"),
        "{result}"
    );
    let (result, _) = compiled("small", &loops("100", "a[i] += b[i];"), &[]);
    assert!(!result.contains("omp parallel"), "{result}");
    let context = ["--ctx", "[n] -> { : n >= 40000 }"];
    let (result, _) = compiled("context", &loops("n", "a[i] += b[i];"), &context);
    assert!(result.contains("omp parallel") && !result.contains("if (n"), "{result}");
    let (result, _) = compiled("functions", &loops("n", "a[i] += sin(b[i]);"), &[]);
    assert!(result.contains("if (n >= 2632) {"), "{result}");
}

/// A parallel loop inside of another loop has a version without threads; a false `if` clause would cost a
/// call of the run-time library in each iteration.
#[test]
fn loops_in_loops_call_no_library_where_they_are_short() {
    let steps = "void f(int t, int n, double (*restrict a)[n], double (*restrict b)[n]) {\n#pragma scop\n  \
                 for (int k = 0; k < t; k++) {\n    for (int i = 1; i < n - 1; i++)\n      for (int j = 0; j < n; j++)\n        \
                 b[i][j] = a[i - 1][j] + a[i + 1][j];\n    for (int i = 1; i < n - 1; i++)\n      for (int j = 0; j < n; j++)\n        \
                 a[i][j] = b[i][j];\n  }\n#pragma endscop\n}\n";
    let (result, _) = compiled("steps", steps, &["--no-reschedule", "--no-tile"]);
    assert_eq!(
        result.matches("#pragma omp parallel for if(loopwright_default_floats())\n").count(),
        2,
        "{result}"
    );
    assert!(!result.contains("parallel for if(("), "{result}");
    assert_eq!(result.matches("      if ((double)").count(), 2, "{result}");
    // Few iterations in many steps are as little as few steps.
    assert!(result.contains("  if ((double) t * ") && result.contains(" * n > "), "{result}");
    assert!(
        result.lines().any(|line| line.starts_with("  if (") && line.contains(" && ")),
        "{result}"
    );
}

/// A condition is computed in floating point, or compares one size with a number: it never overflows.
#[test]
fn conditions_do_not_overflow() {
    let text = "void f(int n, int m, unsigned long k, double *restrict a) {\n#pragma scop\n  for (int i = -n; i < m; i++)\n    \
                for (unsigned long j = 0; j < k; j++)\n      a[i + n] += 1;\n#pragma endscop\n}\n\
                int main(void) {\n  static double a[4];\n  f(-2147483647, -2147483647, 18446744073709551615ul, a);\n  \
                f(2, 2, 3, a);\n  return !(a[0] == 3 && a[3] == 3);\n}\n";
    let (result, _) = compiled("overflow", text, &[]);
    let source = scratch("left").join("overflow.out.c");
    let program = source.with_extension("exe");
    let status = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_string()))
        .args(["-fopenmp", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-w", "-o"])
        .args([&program, &source])
        .status();
    assert!(status.expect("there is a C compiler").success(), "{result}");
    let status = Command::new(Path::new(&program)).status().expect("it runs");
    assert!(status.success(), "{result}");
}

#[test]
fn options_without_effect_are_refused_or_remarked() {
    let (_, text) = NOTHING_GAINED[0];
    let said = |options: &[&str]| {
        let (_, output) = run("options", text, options);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, message) = said(&["--scheduler", "none", "--tile-sizes", "5"]);
    assert_eq!(status, Some(2), "{message}");
    assert!(message.contains("--tile-sizes 5 has no effect beside --scheduler none"), "{message}");
    let (status, message) = said(&["-D", "N=1", "-D", "N=2"]);
    assert_eq!(status, Some(2), "{message}");
    assert!(message.contains("-D N=1 and -D N=2 contradict each other"), "{message}");
    let (status, message) = said(&["--target", "c", "--no-point-to-point"]);
    assert_eq!(status, Some(0), "{message}");
    assert!(message.contains("warning: --no-point-to-point has no effect"), "{message}");
    let (status, message) = said(&["--tile-sizes", "5"]);
    assert_eq!(status, Some(0), "{message}");
}

const ADD: &str = "void f(int n, double a[restrict n][n], double b[restrict n][n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    \
                   for (int j = 0; j < n; j++)\n      a[j][i] += b[i][j];\n#pragma endscop\n}\n";

/// The program's own order is tiled and made parallel; an order that is not permutable stays apart.
#[test]
fn the_own_order_is_tiled() {
    let (result, report) = compiled("own", ADD, &["--no-reschedule", "--tile-sizes", "5"]);
    assert!(result.contains("+= 5") && report.contains("tiled with [5, 5]"), "{result}{report}");
    assert!(report.contains("tried: the program's own order"), "{report}");
    assert_eq!(report.matches("  proved: ").count(), 4, "{report}");
    let skewed = "void f(int n, double a[restrict n][n]) {\n#pragma scop\n  for (int i = 1; i < n; i++)\n    \
                  for (int j = 1; j < n - 1; j++)\n      a[i][j] += a[i - 1][j + 1];\n#pragma endscop\n}\n";
    let (_, report) = compiled("not_permutable", skewed, &["--no-reschedule", "--tile-sizes", "5"]);
    assert!(!report.contains("tiled with"), "{report}");
}

/// Without live-range reordering all anti and output dependences are constraints, of scalars as well.
#[test]
fn live_ranges_stay_in_their_order() {
    let text = "void f(int n, double *restrict a, double *restrict b) {\n  double t;\n#pragma scop\n  for (int i = 0; i < n; i++) {\n    \
                t = b[i];\n    a[i] = t * t;\n  }\n#pragma endscop\n}\n";
    let constraints = |options: &[&str]| {
        compiled("ranges", text, &[&["--emit", "constraints"], options].concat()).0
    };
    let reordering = constraints(&[]);
    assert!(reordering.contains("conditional_validity"), "{reordering}");
    let in_order = constraints(&["--no-live-range-reordering"]);
    assert!(!in_order.contains("conditional_validity"), "{in_order}");
    let (schedule, _) =
        compiled("ranges", text, &["--emit", "schedule", "--no-live-range-reordering"]);
    assert!(!schedule.contains("coincident: [ 1 ]"), "{schedule}");
}
