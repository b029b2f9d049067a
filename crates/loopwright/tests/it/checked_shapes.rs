//! Checks of shapes when the program runs: the same place, elements between each other, strides, arrays as
//! parameters.

use crate::branches_taken::{branches_taken, check_branches, output_of};

/// Functions, each called around the edges of what is checked.
const PROGRAM: &str = r#"
#include <stdio.h>

static int as_written;
static double block[6000];

static void reset(void) {
  for (int i = 0; i < 6000; i++)
    block[i] = i * 7 % 23;
}
static void show(const char *name, int k) {
  double sum = 0;
  for (int i = 0; i < 6000; i++)
    sum = 0.99 * sum + block[i];
  printf("%s %d %.17g\n", name, k, sum);
  printf("taken %s %d %d\n", name, k, as_written);
  as_written = 0;
  reset();
}

void scale(int n, double *a, double *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = 2 * b[i] + a[i];
#pragma endscop
}
void smooth(int n, double *a, double *b) {
#pragma scop
  for (int i = 1; i < n; i++)
    a[i] = b[i] + b[i - 1];
#pragma endscop
}
void twice(int n, double *a, double *b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    a[i] = 2 * b[i];
    a[i] = a[i] + b[i];
  }
#pragma endscop
}
void pairs(int n, double *re, double *im) {
#pragma scop
  for (int i = 0; i < n; i++)
    re[2 * i] = im[2 * i] + 1;
#pragma endscop
}
void triples(int n, double *x, double *y) {
#pragma scop
  for (int i = 0; i < n; i++)
    x[3 * i] = y[3 * i + 1] + 1;
#pragma endscop
}
void columns(int n, int ld, double *a, double *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i * ld] += 2 * b[i * ld];
#pragma endscop
}
void panels(int n, int m, int k, int ld, double *a, double *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int l = 0; l < k; l++)
        a[i * ld + j] += b[i * ld + l];
#pragma endscop
}
void blocks(int kmin, int kmax, int jmax, int imin, int imax, int jp, int kp, double *b, const double *restrict x) {
#pragma scop
  for (int k = kmin; k < kmax; k++)
    for (int j = 0; j < jmax; j++)
      for (int i = imin; i < imax; i++)
        b[k * kp + j * jp + i] += x[i - imin];
#pragma endscop
}
void arrays(int n, double a[n][n], double b[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = b[j][i];
#pragma endscop
}

int main(void) {
  reset();
  for (int k = -41; k <= 41; k++) {
    scale(40, block + 100, block + 100 + k); show("scale", k);
    smooth(40, block + 100, block + 100 + k); show("smooth", k);
    twice(40, block + 100, block + 100 + k); show("twice", k);
    pairs(20, block + 100, block + 100 + k); show("pairs", k);
    triples(13, block + 100, block + 100 + k); show("triples", k);
  }
  for (int k = -55; k <= 55; k++) {
    columns(5, 10, block + 200, block + 200 + k); show("columns", k);
    panels(5, 3, 4, 10, block + 200, block + 200 + k); show("panels", k);
  }
  for (int k = 0; k <= 8; k++) {
    blocks(0, 4, 3, 0, 5, k, 40, block, block + 5000); show("rows of 5", k);
    blocks(-2, 2, 3, -2, 3, 6, 10 + k, block + 1000, block + 5000); show("planes of 17", 10 + k);
  }
  blocks(0, 4, 3, 0, 0, 0, 0, block, block + 5000); show("no rows", 0);
  for (int k = -101; k <= 101; k++) {
    arrays(10, (double (*)[10]) (block + 200), (double (*)[10]) (block + 200 + k)); show("arrays", k);
  }
  return 0;
}
"#;

/// Whether a call is to run the region as it was written.
fn is_as_written(name: &str, k: i64) -> bool {
    match name {
        "scale" => k != 0 && k.abs() < 40,
        // `a[1..40]` is written, `b[0..40]` read.
        "smooth" => -40 < k && k < 40 && k > -39,
        "twice" => k.abs() < 40,
        "pairs" => k != 0 && k.abs() < 39 && k % 2 == 0,
        // `x[0..=36]`, `y[1..=37]`: one further.
        "triples" => (k + 1).abs() < 37 && (k + 1) % 3 == 0,
        "columns" => k != 0 && k.abs() < 41 && k % 10 == 0,
        // Columns 0, 1, 2 and those from `k` to `k + 3`.
        "panels" => -44 < k && k < 43 && !(3..=6).contains(&k.rem_euclid(10)),
        "rows of 5" => k < 5,
        "planes of 17" => k < 17,
        "arrays" => k.abs() < 100,
        _ => false,
    }
}

#[test]
fn shapes_are_checked_at_their_edges() {
    let (compiled, taken) = branches_taken("checked_shapes", PROGRAM, output_of);
    let is_assumed = |report: &loopwright::RegionReport| {
        report.notes.iter().any(|note| note.starts_with("assumed"))
    };
    assert!(!compiled.report.regions.iter().any(is_assumed));
    check_branches(&taken, is_as_written);
}
