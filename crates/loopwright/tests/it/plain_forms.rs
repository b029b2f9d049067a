//! What programs write around plain values: statement expressions for minima, prefetches, several channels in
//! a point of an image. They are compiled as what they mean.
use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, Storage, compile_text};
use loopwright_transform::Tiling;

const PROGRAM: &str = r#"#include <stdio.h>
static double a[90][90], b[90][90];
static float in[30000], out[30000];
static double many[40][300], last[300], left[900], right[900];
void minimum(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < ({ __typeof__(n) _a = (n); __typeof__(m) _b = (m); _a < _b ? _a : _b; }); j++)
      a[i][j] = ({ const __typeof__(b[j][i]) _x = (b[j][i]); double _y = (a[i][j] + 1); _x > _y ? _x : _y; });
#pragma endscop
}
void nested(int n) {
#pragma scop
  for (int i = 0; i < n; i++)
    b[i][0] = ({ __typeof__(({ int _a = (i); _a * 2; })) _a = (({ int _a = (i); _a * 2; })); _a + 3; });
#pragma endscop
}
void prefetched(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    __builtin_prefetch(&b[i][16]);
    a[0][i] = 2 * b[i][3];
  }
#pragma endscop
}
void channels(int w, int h) {
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      for (int k = 0; k < 3; k++)
        out[(y * w + x) * 3 + k] = 1 - in[(y * w + x) * 3 + k];
#pragma endscop
}
int main(void) {
  for (int i = 0; i < 90; i++)
    for (int j = 0; j < 90; j++) {
      a[i][j] = i * 7 % 13;
      b[i][j] = j * 5 % 11 + i;
    }
  for (int i = 0; i < 30000; i++)
    in[i] = i % 17;
  minimum(90, 50);
  minimum(50, 90);
  nested(80);
  prefetched(90);
  channels(90, 100);
  channels(7, 11);
  double s = 0;
  for (int i = 0; i < 90; i++)
    for (int j = 0; j < 90; j++)
      s += a[i][j] * (i + j) + b[i][j];
  for (int i = 0; i < 30000; i++)
    s += out[i] * (i % 5);
  printf("%.17g\n", s);
}
"#;

#[test]
fn plain_values_in_other_forms_are_compiled() {
    let folder = scratch("plain_forms");
    let expected = run_c(PROGRAM, &folder, "before").expect("the program runs");
    let options = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
    let compiled = compile_text("plain_forms.c", PROGRAM, &options).expect("a result");
    let found = run_c(&compiled.code, &folder, "after").expect("the result runs");
    assert_eq!(found, expected, "{}", compiled.code);
    let report = compiled.report.to_string();
    assert!(!report.contains("left as it was"), "{report}");
    assert!(report.contains("the prefetch in line 21 is left out"), "{report}");
    // Rows of the image have `3 * w` elements.
    assert!(compiled.code.contains("3 * (long) w"), "{}", compiled.code);
}

/// What a statement expression does more than naming values is refused as before.
#[test]
fn statement_expressions_with_effects_stay_refused() {
    for value in ["({ int _a = b[i]++; _a; })", "({ int _a = f(i); _a; })", "({ b[0] = 1; 2; })"] {
        let text = format!(
            "int f(int);\nvoid g(int n, int a[restrict n], int b[restrict n]) {{\n#pragma scop\n  \
             for (int i = 0; i < n; i++)\n    a[i] = {value};\n#pragma endscop\n}}\n"
        );
        let refused = compile_text("f.c", &text, &CompileOptions::new());
        let refused = refused.expect_err("a refusal").to_string();
        assert!(refused.contains("is not supported in a region"), "{refused}");
    }
}

/// Two statements that read one and two elements to each side have a band, if elements keep the order of
/// their values.
#[test]
fn statements_of_different_radii_have_tiles_over_time() {
    let text = "void f(int T, int n, double A[restrict n], double B[restrict n]) {\n#pragma scop\n  \
                for (int t = 0; t < T; t++) {\n    for (int i = 2; i < n - 2; i++)\n      \
                B[i] = 0.3 * (A[i - 1] + A[i] + A[i + 1]);\n    for (int i = 2; i < n - 2; i++)\n      \
                A[i] = 0.2 * (B[i - 2] + B[i] + B[i + 2]);\n  }\n#pragma endscop\n}\n";
    let options = CompileOptions { tiling: Some(Tiling::Pipelined), ..CompileOptions::new() };
    let compiled = compile_text("f.c", text, &options).expect("tiles over time");
    let report = compiled.report.to_string();
    assert!(report.contains("if elements keep the order of their values"), "{report}");
    assert!(!report.contains("NOT proved"), "{report}");
}

/// Cells for fewer values, in tiles whose sizes the run chooses.
#[test]
fn contracted_arrays_have_tiles_of_variable_sizes() {
    let text = r#"#include <stdio.h>
static double out[300];
static void f(int T, int n) {
  double A[41][300];
#pragma scop
  for (int i = 0; i < n; i++)
    A[0][i] = i % 101;
  for (int t = 1; t <= T; t++)
    for (int i = 0; i < n; i++)
      A[t][i] = i > 0 && i < n - 1 ? 0.3 * (A[t - 1][i - 1] + A[t - 1][i] + A[t - 1][i + 1]) : 1;
  for (int i = 0; i < n; i++)
    out[i] = A[T][i];
#pragma endscop
}
int main(void) {
  f(40, 300);
  f(3, 17);
  double s = 0;
  for (int i = 0; i < 300; i++)
    s = s * 0.99 + out[i];
  printf("%.17g\n", s);
}
"#;
    let folder = scratch("variable_cells");
    let expected = run_c(text, &folder, "before").expect("the program runs");
    let options = CompileOptions {
        parametric_tiles: true,
        storage: Storage::Contract,
        always_rewrite: true,
        ..CompileOptions::new()
    };
    let compiled = compile_text("f.c", text, &options).expect("a result");
    let found = run_c(&compiled.code, &folder, "after").expect("the result runs");
    assert_eq!(found, expected, "{}", compiled.code);
    let report = compiled.report.to_string();
    let both = report.contains("storage: elements of `A` share cells")
        && report.contains("the sizes of tiles are chosen when the program runs");
    assert!(both || report.contains("storage: arrays are not contracted in tiles"), "{report}");
}
