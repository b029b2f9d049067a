//! Programs whose loops are good as they are: what compilers unroll, keep in registers or have vectors for,
//! and what programmers have tiled. They stay as they were, or keep their order.

use crate::support::{run_c, scratch};
use std::process::Command;

/// Compiles a file without pragmas; the result, and what is said.
#[track_caller]
fn compiled(name: &str, text: &str, options: &[&str]) -> (String, String) {
    let path = scratch("never_slower").join(format!("{name}.c"));
    std::fs::write(&path, text).expect("the folder for tests can be written");
    let result = path.with_extension("out.c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    command.args(["compile", "--autodetect"]).arg(&path).arg("-o").arg(&result).args(options);
    let output = command.output().expect("the command runs");
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    (std::fs::read_to_string(result).expect("the result is written"), report)
}

/// Small products, dot products, solves along rows, a few rows: nothing in them is better in another order.
const GOOD_AS_THEY_ARE: [(&str, &str); 5] = [
    (
        "product_of_4_by_4",
        "void f(double a[restrict 4][4], double b[restrict 4][4], double c[restrict 4][4]) {\n  for (int i = 0; i < 4; i++)\n    \
         for (int j = 0; j < 4; j++) {\n      c[i][j] = 0;\n      for (int k = 0; k < 4; k++)\n        c[i][j] += a[i][k] * b[k][j];\n    \
         }\n}\n",
    ),
    (
        "dot_product",
        "double f(int n, const double *restrict x, const double *restrict y) {\n  double s = 0;\n  for (int i = 0; i < n; i++) s += \
         x[i] * y[i];\n  return s;\n}\n",
    ),
    (
        "solve_along_rows",
        "void f(int n, double l[restrict n][n], double *restrict x, const double *restrict b) {\n  for (int i = 0; i < n; i++) {\n    \
         double s = b[i];\n    for (int j = 0; j < i; j++) s -= l[i][j] * x[j];\n    x[i] = s / l[i][i];\n  }\n}\n",
    ),
    (
        "recurrence_and_stores",
        "void f(int n, double *restrict r, double *restrict y, double *restrict z) {\n  double beta = 1, sum = 0;\n  for (int k = 1; k < n; \
         k++) {\n    sum = 0;\n    for (int i = 0; i < k; i++) sum += r[k - i - 1] * y[i];\n    beta = -(r[k] + sum) / beta;\n    \
         for (int i = 0; i < k; i++) z[i] = y[i] + beta * y[k - i - 1];\n    for (int i = 0; i < k; i++) y[i] = z[i];\n    y[k] = beta;\n  \
         }\n}\n",
    ),
    (
        "a_few_elements",
        "void f(float *restrict x, const float *restrict v) {\n  for (int k = 0; k < 3; k++)\n    for (int i = 0; i < 8; i++)\n      \
         x[8 * k + i] += v[3 * i + k];\n}\n",
    ),
];

#[test]
fn what_is_good_stays_byte_for_byte() {
    for (name, text) in GOOD_AS_THEY_ARE {
        let (result, report) = compiled(name, text, &["--assume-no-alias"]);
        assert_eq!(result, text, "{name}");
        assert!(report.contains("stays as it is written: nothing is gained"), "{name}: {report}");
    }
}

/// A product in tiles, by hand.
const TILES: &str = "void f(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n]) {\n  \
    for (int ii = 0; ii < n; ii += 32)\n    for (int kk = 0; kk < n; kk += 32)\n      for (int jj = 0; jj < n; jj += 32)\n        \
    for (int i = ii; i < (ii + 32 < n ? ii + 32 : n); i++)\n          for (int k = kk; k < (kk + 32 < n ? kk + 32 : n); k++)\n            \
    for (int j = jj; j < (jj + 32 < n ? jj + 32 : n); j++)\n              c[i][j] += a[i][k] * b[k][j];\n}\n";

#[test]
fn tiles_of_programs_keep_their_order() {
    let (result, report) = compiled("tiles", TILES, &[]);
    assert!(
        report.contains("the loops are tiled by hand already: their order is kept"),
        "{report}"
    );
    assert_eq!(result.matches("#pragma omp parallel for").count(), 1, "{result}");
    assert!(result.contains("c[c3][c5] += a[c3][c4] * b[c4][c5];"), "{result}");
    assert!(result.contains("  if (n >= 33) {\n"), "{result}");
    let program = format!(
        "#include <stdio.h>\n{TILES}int main(void) {{\n  static double m[3 * 130 * 130];\n  for (int n = 0; n < 131; n += 26) {{\n    \
         double *a = m, *b = a + n * n, *c = b + n * n, s = 0;\n    for (int i = 0; i < 3 * n * n; i++) m[i] = i % 17 - 8;\n    \
         f(n, (void *) a, (void *) b, (void *) c);\n    for (int i = 0; i < n * n; i++) s += c[i] * (i % 7);\n    \
         printf(\"%.17g\\n\", s);\n  }}\n  return 0;\n}}\n"
    );
    let folder = scratch("never_slower");
    let before = run_c(&program, &folder, "tiles_before").expect("it is C");
    let result = program.replace(TILES, &result);
    assert_eq!(run_c(&result, &folder, "tiles_after").expect("it is C"), before);
}

/// Threads have a condition also where extents have floors, are unknown, or calls hide the work.
#[test]
fn threads_always_have_a_condition() {
    let reverse = "void f(int k, int *p) {\n  int i, j, t;\n  for (i = 1, j = k - 1; i < j; ++i, --j) {\n    t = p[i];\n    p[i] = p[j];\n    \
                   p[j] = t;\n  }\n}\n";
    let (result, report) = compiled("reverse", reverse, &[]);
    assert!(result.contains("omp parallel for") && result.contains("  if (k >= "), "{result}");
    assert!(report.contains("smaller regions run as they were"), "{report}");
    let calls = "double g(double);\nvoid f(int n, double *restrict a, const double *restrict b) {\n  for (int i = 0; i < n; i++) a[i] = \
                 b[i] + g(b[i]);\n}\ndouble g(double x) { return x / 3; }\n";
    let (result, _) = compiled("calls", calls, &[]);
    assert!(!result.contains("omp parallel") || result.contains("  if (n >= "), "{result}");
}

/// Vectors of three elements for each of many points: the number of points decides when the program runs.
#[test]
fn short_loops_inside_of_long_ones_run_on_threads() {
    let points = "void f(int n, float x[restrict n][3], float v[restrict n][3], float dt) {\n  for (int i = 0; i < n; i++)\n    \
                  for (int k = 0; k < 3; k++)\n      x[i][k] += dt * v[i][k];\n}\n";
    let (result, _) = compiled("points", points, &[]);
    assert!(
        result.contains("  if (n >= 4167) {\n") && result.contains("omp parallel for"),
        "{result}"
    );
}

/// What gains on one core has a condition, too, and says what it gains.
#[test]
fn other_orders_on_one_core_say_what_they_gain() {
    let columns = "void f(int n, double u[restrict n][n], double *restrict x) {\n  for (int j = n - 1; j >= 0; j--) {\n    x[j] = x[j] / \
                   u[j][j];\n    for (int i = 0; i < j; i++) x[i] -= u[i][j] * x[j];\n  }\n}\n";
    let (result, report) = compiled("columns", columns, &[]);
    assert!(result.contains("  if (n >= 72) {\n") && !result.contains("omp parallel"), "{result}");
    assert!(report.contains("note: gained on one core: estimated to be "), "{report}");
    assert!(report.contains("at least 10000 operations"), "{report}");
}

/// A region with enough work for another order, but not for threads, gets the former alone.
#[test]
fn what_is_too_little_for_threads_may_be_enough_for_one_core() {
    let text = "void f(double a[restrict 20][20], double b[restrict 20][20], double c[restrict 20][20]) {\n  for (int i = 0; i < 20; \
                i++)\n    for (int j = 0; j < 20; j++)\n      for (int k = 0; k < 20; k++)\n        c[i][j] += a[i][k] * b[k][j];\n}\n";
    let (result, report) = compiled("twenty", text, &[]);
    assert!(!result.contains("omp parallel"), "{result}");
    assert!(result == text || report.contains("gained on one core"), "{report}");
}

/// Chunks of a row are for several threads only where there are several chunks.
#[test]
fn one_chunk_is_not_for_threads() {
    let sums = "void f(int n, double a[restrict n][n], double *restrict s) {\n  for (int j = 0; j < n; j++)\n    for (int i = 0; i < n; \
                i++)\n      s[j] += a[i][j];\n}\n";
    let (result, report) = compiled("chunks", sums, &[]);
    assert!(report.contains("parallel: chunks of member 0"), "{report}");
    assert!(result.contains("  if (n >= 257) {\n"), "{result}");
}

/// A stencil with an edge, for which the schedule has an order that is worse than the program's.
const PLATE: &str = "#define N 512\nvoid f(double o[restrict N][N], double q[restrict N][N], double p[restrict N][N]) {\n  \
    for (int t = 0; t < 40; t++) {\n    double d;\n    int r, c;\n    for (r = 1; r < N - 1; r++) {\n      \
    for (c = 1; c < N - 1; c++) {\n        d = p[r][c] + q[r + 1][c] + q[r - 1][c] - 2 * q[r][c];\n        \
    o[r][c] = q[r][c] + d;\n      }\n    }\n    d = p[0][N - 1] + q[0][c - 1];\n    \
    o[0][N - 1] = q[0][N - 1] + d;\n    for (r = 0; r < N; r++) {\n      for (c = 0; c < N; c++)\n        \
    q[r][c] = 0.125 * o[r][c];\n    }\n  }\n}\n";

/// Where other loops gain nothing, those of the program on threads still may.
#[test]
fn threads_in_the_own_order_are_tried_where_another_order_gains_nothing() {
    let (result, report) = compiled("plate", PLATE, &[]);
    assert!(report.contains("tried: the program's own order: "), "{report}");
    assert_eq!(result.matches("#pragma omp parallel for").count(), 2, "{result}");
    assert!(result.contains("for (long c2 = 1; c2 <= 510; c2++) {"), "{result}");
    let program = format!(
        "#include <stdio.h>\n{PLATE}double m[3][N][N];\nint main(void) {{\n  double s = 0;\n  for (int i = 0; i < 3 * N * N; i++) m[0][0][i] = i % \
         17 - 8;\n  f(m[0], m[1], m[2]);\n  for (int i = 0; i < 2 * N * N; i++) s += m[0][0][i] * (i % 7);\n  printf(\"%.17g\\n\", s);\n  \
         return 0;\n}}\n"
    );
    let folder = scratch("never_slower");
    let before = run_c(&program, &folder, "plate_before").expect("it is C");
    let result = program.replace(PLATE, &result);
    assert_eq!(run_c(&result, &folder, "plate_after").expect("it is C"), before);
}

/// Arrays of known sizes bound the work of loops over sizes that only the run knows.
#[test]
fn loops_over_small_arrays_never_have_enough_work() {
    let small = "int e[18][16];\nvoid f(int n, int u) {\n  for (int i = 0; i < n; i++) e[u + 1][i] = e[u][i];\n}\n";
    let (result, report) = compiled("small_arrays", small, &[]);
    assert_eq!(result, small);
    assert!(report.contains("there is too little to do so far as sizes tell"), "{report}");
    let large = small.replace("e[18][16]", "e[18][160000]");
    let (result, _) = compiled("large_arrays", &large, &[]);
    assert!(result.contains("omp parallel for") && result.contains("  if (n >= "), "{result}");
    let last_member = "struct s { int n; double data[1]; };\nvoid f(struct s *restrict p) {\n  int n = p->n;\n  for (int i = 0; i < n; \
                       i++) p->data[i] = i;\n}\n";
    let (result, _) = compiled("last_member", last_member, &[]);
    assert!(result.contains("omp parallel for"), "{result}");
}

/// Columns at the edges of a grid: vectors of strided elements are not forced on compilers, those of rows are
/// there.
#[test]
fn columns_are_no_vectors() {
    let text = "void f(double a[restrict 512][512], double b[restrict 512][512]) {\n  for (int t = 0; t < 100; t++) {\n    \
                for (int i = 1; i < 511; i++)\n      for (int j = 1; j < 511; j++)\n        \
                b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];\n    \
                for (int i = 1; i < 511; i++) {\n      b[i][0] = a[i][0] + a[i - 1][0];\n      b[i][511] = a[i][511] + a[i + 1][511];\n    \
                }\n    for (int i = 0; i < 512; i++)\n      for (int j = 0; j < 512; j++)\n        a[i][j] = b[i][j];\n  }\n}\n";
    let (result, _) = compiled("columns", text, &["--no-reschedule"]);
    let lines: Vec<&str> = result.lines().map(str::trim).collect();
    let vectors = lines.windows(3).filter(|lines| lines[0] == "#pragma omp simd");
    let bodies: Vec<&str> = vectors.map(|lines| lines[2]).collect();
    assert!(!bodies.is_empty() && bodies.iter().all(|body| body.contains("[c2]")), "{result}");
    assert!(result.contains("b[c1][511] = "), "{result}");
}

/// A loop in two others would need tens of thousands of iterations to be worth threads, and would be asked
/// each time.
#[test]
fn a_single_loop_in_two_others_has_no_threads() {
    let inside = |around: &str| {
        format!(
            "void g(int, double *);\nvoid f(int n, int m, double *restrict x, double *restrict y) {{\n{around}    {{\n      \
                 g(n, x);\n      for (int i = 0; i < m; i++) y[i] += x[i];\n    }}\n}}\n"
        )
    };
    let (result, _) = compiled("in_one", &inside("  for (int k = 0; k < n; k++)\n"), &[]);
    assert!(result.contains("#pragma omp parallel for"), "{result}");
    let text = inside("  for (int k = 0; k < n; k++)\n    for (int j = k; j < n; j++)\n");
    let (result, report) = compiled("in_two", &text, &[]);
    assert_eq!(result, text);
    assert!(
        report.contains("a single loop inside of several others has too little to do"),
        "{report}"
    );
}
