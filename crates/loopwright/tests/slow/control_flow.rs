//! Control flow, subscripts and conditions that depend on data, from C to the programs' output.

use crate::support::{regions_print_the_same, untiled_code};

/// A sparse product: bounds and subscripts from arrays.
const SPARSE: &str = "for (i = 0; i < n; i++) {
    y[i] = 0;
    for (j = row[i]; j < row[i + 1]; j++) y[i] += x[col[j]];
  }";
/// A loop with an end that is not known, between affine ones.
const HALVES: &str = "for (i = 0; i < n; i++) {
    s = 0; k = i;
    while (k > 0) { s += x[k]; k /= 2; }
    y[i] = s + x[col[i]];
    for (j = 0; j < n; j++) B[i][j] += s * j;
  }";
/// A search that ends early, and the place where it ended.
const SEARCH: &str = "for (i = 0; i < n; i++) {
    for (k = 0; k < n; k++) if (x[k] > i) break;
    y[i] = k;
    for (j = 0; j < n; j++) { if (x[j] > y[i]) continue; B[i][j] = x[j] + i; if (j > k) break; }
  }";
/// Loops under conditions, with variables of their own.
const CONDITIONS: &str = "for (i = 0; i < n; i++)
    if (x[i] > 3) for (j = 0; j < m; j++) B[j][i] = B[j][i] * 2 + j;
    else { double x = y[i]; int q[3] = {1, 2, i};
           for (j = 0; j < 3; j++) { x += q[j]; B[i][j] = x; } }";
/// Whole loops under a condition that they do not change.
const PUSHED: &str = "if (x[0] < x[1])
    for (i = 1; i < n; i++) { y[i] = y[i - 1] + x[i]; for (j = 0; j < n; j++) B[i][j] += y[i]; }
  else for (i = 0; i < n; i++) y[i] = x[i];
  for (i = 0; i < n; i++) if (y[i] > 4) for (j = 0; j < n; j++) B[i][j] = 0;";
/// Cases that fall through.
const SWITCH: &str = "for (i = 1; i < n; i++) {
    switch (col[i] % 4) { case 0: y[i] = 1; break; case 1: y[i] += 2; default: y[i] -= x[i]; }
    do { y[i] = y[i] - x[i - 1] - 5; } while (y[i] > 0);
    y[col[i]] += y[i - 1];
  }";
/// Histograms and permutations.
const SCATTER: &str = "for (i = 0; i < n; i++) count[col[i] % 8]++;
  for (i = 1; i < 8; i++) count[i] += count[i - 1];
  for (i = n - 1; i >= 0; i--) y[--count[col[i] % 8]] = x[i];
  for (i = 0; i < n; i++) B[0][i] = y[i] + B[i * i % n][3];";
/// Several effects in one expression.
const EFFECTS: &str = "for (i = 0, k = 0; i < n; i++) {
    (s = x[i], y[i] = s);
    t = s > 2 ? (s = 3, k++) : s;
    s > 1 && (y[k % n] = t);
    for (j = 0; j < n; j++) B[i][j] = t = B[i][j] + y[j];
  }
  for (i = 0; i < n; i++) y[i] += k;";
/// Jumps inside of one statement.
const JUMPS: &str = "for (i = 0; i < n; i++) {
    k = i;
    do { again: k--; if (k > 7) goto again; s = k; if (s < 0) goto out; y[i] += s; out: ; } while (k > 2);
    B[i][0] = s;
  }
  for (i = 1; i < 4; i++) for (j = i; j < n; j++) {
    if (x[i] > 3) goto in;
  in: y[i] += j;
    if (j % 2) B[i][j] = 1; else if (x[j] > 2) break;
  }";
/// Iterations that are skipped, loops that are left, at known places and by data.
const SKIPPED: &str = "for (i = 0; i < n; i++) {
    if (i % 3 == 1) continue;
    for (j = 0; j < n; j++) {
      B[i][j] += x[j];
      if (j > i + 2) break;
      if (x[j] < 0) continue;
      t = x[j]; y[i] += t;
      for (k = 0; k < 3; k++) { if (k == m) break; B[j][k] += t * k; }
    }
    if (i == m) { y[i] = 7; break; }
    y[i + 1] += y[i];
  }";
/// Jumps forwards in the bodies of loops, as in programs that were Fortran.
const FORWARD: &str = "for (i = 0; i < n - 1; i++) {
    if (x[i] < 0) goto L20;
    y[i] += x[i] * i;
    goto L10;
L20: y[i + 1] = y[i] + 1;
L10: ;
    if (i > m / 2) { x[i] = 1; goto L40; }
    if (y[i] > 3) goto L30;
    for (j = 0; j < n; j++) B[i][j] += y[i];
L30: B[i][i] = i;
L40: x[i + 1] -= B[i][i];
    if (x[i] > y[i]) goto L50;
    B[i][0] = -B[i][0];
    if (B[i][0] <= x[i]) goto L60;
    B[i][1] += x[i];
    goto L60;
L50: B[i][1] = y[i];
L60: B[i][2] = B[i][0] + B[i][1];
  }";
/// Jumps out of inner loops, and out of an `if` that goes on behind them.
const LEAPS: &str = "for (i = 0; i < n; i++) {
    for (j = 0; j < n; j++) for (k = 0; k < 3; k++)
      if (B[i][j] + k > x[i] * 4) { y[i] = j; goto found; }
    y[i] = -1;
found:
    B[i][0] += y[i];
    if (x[i] > 2) { B[i][1] = 3; if (y[i] > 4) continue; B[i][1] += 2; }
    else if (x[i] < 0) { if (i % 2) continue; B[i][2] = 5; }
    switch (col[i] % 4) { case 0: continue; case 1: B[i][3]++; break; default: B[i][3]--; }
    B[i][4] = x[i] + B[i][3];
    if (i == m) { y[i] += 7; goto last; }
    t = B[i][4]; y[i] -= t;
last: ;
  }
  for (i = 0; i < n; i++) for (j = i; j < n; j++) if (B[i][j] == y[m]) { s = i + j; goto out; }
  s = -4;
out:
  for (i = 0; i < n; i++) y[i] += s;";

/// Functions of the file, state, output.
const CALLS: &str =
    "for (i = 0; i < lesser(n, N - 2); i++) { y[i] = square(y[i]); fill(n, B[i], y[i]); }
  for (i = 0; i < n; i++) y[i] += dot(n, B[i], x);
  for (i = 0; i < n; i++) { y[i] += next() % 5; if (y[i] > 30) printf(\"%d\\n\", i); }
  for (i = 0; i < n; i++) { total = x[i]; y[i] += read_total(); }
  for (i = 1; i < n; i++) { s = y[i - 1]; bump(&s); B[0][i] = s; }";

/// Functions of the file behind pointers, with state.
const POINTERS_TO_FUNCTIONS: &str =
    "for (i = 0; i < n; i++) { y[i] = chosen(x[i]); B[i][1] = (*chosen)(i) + total; }
  for (i = 0; i < n; i++) for (j = 0; j < m; j++) B[i][j] += table[(i + j) % 2](x[j]);
  for (i = 0; i < n; i++) { if (x[i] > 5) choose(); y[i] += chosen(y[i]); }
  for (i = 0; i < n; i++) { __typeof__(x[0]) z = x[i] * 2; y[i] += z; }";

const ALL: [(&str, &str); 14] = [
    ("pointers_to_functions", POINTERS_TO_FUNCTIONS),
    ("calls", CALLS),
    ("sparse", SPARSE),
    ("halves", HALVES),
    ("search", SEARCH),
    ("conditions", CONDITIONS),
    ("pushed", PUSHED),
    ("switch", SWITCH),
    ("scatter", SCATTER),
    ("effects", EFFECTS),
    ("jumps", JUMPS),
    ("skipped", SKIPPED),
    ("forward", FORWARD),
    ("leaps", LEAPS),
];

fn program(region: &str) -> String {
    format!(
        "#include <stdio.h>\n#define N 24\n\
         int row[N + 1], col[4 * N], count[8]; double x[N], y[N], B[N][N];\n\
         static double total;\n\
         static int lesser(int a, int b) {{ return a < b ? a : b; }}\n\
         static double square(double x) {{ return x * x; }}\n\
         static void fill(int n, double *a, double v) {{ for (int j = 0; j < n; j++) a[j] = v + j; }}\n\
         static double dot(int n, double *a, double *b)\n\
         {{ double s = 0; while (n-- > 0) s += a[n] * b[n]; return s; }}\n\
         static int next(void) {{ static int k = 3; return k = (k * 5 + 1) % 64; }}\n\
         static double read_total(void) {{ return total; }}\n\
         static double add(double x) {{ total += x; return total; }}\n\
         static double (*table[2])(double) = {{ square, add }}; static double (*chosen)(double) = add;\n\
         static void choose(void) {{ chosen = table[total > 9]; }}\n\
         static void bump(double *p) {{ *p += 1; }}\n\
         static void f(int n, int m)\n{{\n  int i, j, k; double s, t;\n\
         #pragma scop\n  {region}\n#pragma endscop\n}}\n\
         int main(void)\n{{\n\
         for (int i = 0; i < N; i++) {{ row[i + 1] = row[i] + i * 7 % 4; x[i] = i * 29 % 17 - 4; y[i] = i % 5;\n\
         for (int j = 0; j < N; j++) B[i][j] = i ^ j; }}\n\
         for (int i = 0; i < 4 * N; i++) col[i] = i * 11 % N;\n\
         f(N, N - 3);\n\
         for (int i = 0; i < N; i++) {{ printf(\"%g:\", y[i]); for (int j = 0; j < N; j++) printf(\" %g\", B[i][j]); puts(\"\"); }}\n\
         return 0;\n}}\n"
    )
}

#[test]
fn programs_print_the_same() {
    regions_print_the_same("control_flow", &ALL, program);
}

fn code(name: &str, region: &str) -> String {
    untiled_code("control_flow", name, &program(region))
}

#[test]
fn what_is_around_atomic_statements_runs_in_parallel() {
    assert!(code("sparse", SPARSE).contains("#pragma omp parallel for"));
    assert!(code("halves", HALVES).contains("#pragma omp parallel for private("));
    // Each row is searched by itself.
    assert!(code("search", SEARCH).contains("#pragma omp parallel for private(k)"));
}

#[test]
fn loops_whose_iterations_are_skipped_run_in_parallel() {
    let region = "for (i = 0; i < n; i++) {
        if (x[i] > 0) goto L20;
        y[i] = -y[i] + x[i];
        if (y[i] <= x[i]) goto L30;
        B[0][i] += x[i];
        goto L30;
    L20: B[0][i] = -B[0][i] + x[i];
    L30: B[1][i] = B[0][i] + y[i] * x[i];
      }
      for (i = 0; i < n; i++) { if (x[i] < 0) continue; B[2][i] = x[i]; }
      for (i = 0; i < n; i++) { if (i > m) break; B[3][i] = x[i]; }";
    let text = code("forward_parallel", region);
    assert!(text.contains("#pragma omp parallel for"), "{text}");
    assert!(!text.contains("goto") && !text.contains("break;"), "{text}");
}

#[test]
fn elements_that_a_subscript_may_name_are_not_kept_in_variables() {
    // y[0] may be y[col[i]].
    let region = "for (i = 1; i < n; i++) { y[0] += x[i]; y[col[i]] = y[col[n - i]] + 1; }";
    let text = code("aliases", region);
    assert!(!text.contains("y_value"), "{text}");
}
