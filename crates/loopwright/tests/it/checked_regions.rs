//! The worked examples of Doerfert, Hammacher, Streit and Hack, "SPolly: Speculative optimizations in the
//! polyhedral model", IMPACT 2013: pointers that are checked, calls, tables of pointers, arrays on the heap.

use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, compile_file};
use loopwright_cfront::{Code, Fact, SourceFile};

/// Figure 2a, called with arrays at all places that make a difference. 99 elements are accessed, from the
/// second on.
const ALIASING: &str = r#"
#include <stdio.h>
#define N 100
static int as_written;
static int block[400];

void a(int *A, int *B) {
  int i;
#pragma scop
  for (i = 1; i < N; i++)
    A[i] = 3 * B[i];
#pragma endscop
}
static void show(const char *name) {
  unsigned sum = 0;
  for (int i = 0; i < 400; i++)
    sum = 31 * sum + (unsigned) block[i];
  printf("%s %u\n", name, sum);
  printf("taken %s %d\n", name, as_written);
  as_written = 0;
  for (int i = 0; i < 400; i++)
    block[i] = i * 7 % 23;
}
int main(void) {
  show("start");
  a(block, block + 200); show("apart");
  a(block, block + 100); show("halves");
  a(block, block + N - 1); show("touching");
  a(block + N - 1, block); show("touching_before");
  a(block, block + N - 2); show("one_too_near");
  a(block + 1, block); show("one_behind");
  a(block, block + 1); show("one_before");
  a(block, block); show("same");
  return 0;
}
"#;

#[test]
fn figure_2a_runs_in_parallel_where_the_arrays_are_apart_or_the_same() {
    let folder = scratch("checked_regions");
    let path = folder.join("aliasing.c");
    std::fs::write(&path, ALIASING).expect("the folder for tests can be written");
    let options = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
    let code = compile_file(&path, &options).expect("it compiles").code;
    let large = folder.join("large.c");
    std::fs::write(&large, ALIASING.replace("#define N 100\n", "#define N 200000\n"))
        .expect("the folder for tests can be written");
    let of_large = compile_file(&large, &options).expect("it compiles").code;
    assert_eq!(of_large.matches("#pragma omp parallel for").count(), 1, "{of_large}");
    let counted = code.replace("} else {\n", "} else {\n  as_written = 1;\n");
    let before = run_c(ALIASING, &folder, "before").expect("the program runs");
    let after = run_c(&counted, &folder, "after").expect("the result runs");
    let values = |output: &str| -> Vec<String> {
        output.lines().filter(|l| !l.starts_with("taken")).map(str::to_string).collect()
    };
    assert_eq!(values(&before), values(&after));
    let as_written: Vec<&str> =
        after.lines().filter_map(|line| line.strip_prefix("taken ")?.strip_suffix(" 1")).collect();
    assert_eq!(as_written, ["one_too_near", "one_behind", "one_before"]);
}

fn refusal(head: &str, region: &str) -> Option<Code> {
    let text = format!("{head}\n{{\n#pragma scop\n{region}\n#pragma endscop\n}}\n");
    SourceFile::from_text("f.c", &text).extract().err().map(|all| all[0].code)
}

#[test]
fn calls_are_accepted_or_reported_as_calls() {
    let head = "double sqrt(double); void other(double); int printf(const char *, ...);\n\
                void f(int n, double *restrict a, const double *restrict b)";
    let nest = |body: &str| format!("for (int i = 0; i < n; i++) {{ {body} }}");
    assert_eq!(refusal(head, &nest("a[i] = sqrt(b[i]);")), None);
    // Between pragmas such calls may stay in their order.
    let always = "a[i] = b[i]; other(b[i]);";
    assert!(matches!(refusal(head, &nest(always)), None | Some(Code::Call)));
    let report = "if (b[i] < 0) printf(\"negative\\n\"); a[i] = b[i];";
    assert!(matches!(refusal(head, &nest(report)), None | Some(Code::Call)));
}

/// Kernels whose arrays are on the heap and come as pointers to rows.
const KERNELS: [(&str, &str); 6] = [
    (
        "double alpha, double (*A)[n], double (*B)[n], double (*C)[n]",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) \
         C[i][j] += alpha * A[i][k] * B[k][j];",
    ),
    (
        "double *x1, double *x2, double *y1, double *y2, double (*A)[n]",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x1[i] += A[i][j] * y1[j]; \
         for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x2[i] += A[j][i] * y2[j];",
    ),
    (
        "double (*A)[n], double (*B)[n]",
        "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) \
         B[i][j] = A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]; \
         for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) A[i][j] = B[i][j];",
    ),
    (
        "double (*L)[n], double *x, double *b",
        "for (int i = 0; i < n; i++) { x[i] = b[i]; for (int j = 0; j < i; j++) x[i] -= L[i][j] * x[j]; \
         x[i] = x[i] / L[i][i]; }",
    ),
    (
        "double (*A)[n], double *x, double *y, double *tmp",
        "for (int i = 0; i < n; i++) y[i] = 0; for (int i = 0; i < n; i++) { tmp[i] = 0; \
         for (int j = 0; j < n; j++) tmp[i] += A[i][j] * x[j]; \
         for (int j = 0; j < n; j++) y[j] += A[i][j] * tmp[i]; }",
    ),
    (
        "double A[n][n], double B[n][n], double C[n][n], double D[n][n], double E[n][n], double F[n][n], double G[n][n]",
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { E[i][j] = 0; for (int k = 0; k < n; k++) E[i][j] += A[i][k] * B[k][j]; } \
         for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { F[i][j] = 0; for (int k = 0; k < n; k++) F[i][j] += C[i][k] * D[k][j]; } \
         for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { G[i][j] = 0; for (int k = 0; k < n; k++) G[i][j] += E[i][k] * F[k][j]; }",
    ),
];

#[test]
fn kernels_on_the_heap_are_checked_and_assume_nothing() {
    for (parameters, region) in KERNELS {
        let text = format!(
            "void f(int n, {parameters})\n{{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
        );
        let regions = SourceFile::from_text("f.c", &text).extract();
        let regions = regions.unwrap_or_else(|found| panic!("{}\n{text}", found[0]));
        assert!(regions[0].scop.assumptions.is_empty(), "{text}");
        let is_about_memory =
            |fact: &Fact| matches!(fact, Fact::Apart { .. } | Fact::RowsApart { .. });
        let checks = regions[0].conditions.iter().filter(|c| is_about_memory(&c.fact)).count();
        assert!((1..=6).contains(&checks), "{checks} checks in\n{text}");
    }
}
