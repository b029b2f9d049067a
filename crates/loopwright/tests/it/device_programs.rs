//! What programs say in words of their own, and in the ways that people write loops: on devices as on
//! processors. Types, constants and functions of the program, loops by steps, arrays behind members,
//! accumulators, results that are the same in every order, lengths that only subscripts tell.
use crate::devices::{Built, are_in_order, on_hopper, options};
use crate::project::is_there;
use loopwright_backend::device::Language;

const LANGUAGES: [Language; 2] = [Language::Cuda, Language::OpenCl];

/// The kernels do what the program does: by emulation in CUDA, on a device in OpenCL if there is one.
fn runs_the_same(name: &str, text: &str) {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    for language in LANGUAGES {
        let built = Built::proved(name, text, &options(language));
        let left: Vec<String> =
            built.notes().into_iter().filter(|note| note.contains("stays on")).collect();
        assert!(left.is_empty(), "{name}: {left:?}");
        match language {
            // The emulation that counts has no pointers as parameters of functions.
            Language::Cuda if name == "words" => {
                built.emulate(built.kernels(), "-O0");
                assert!(built.shell("./code").stdout == built.expected(), "{name}");
            }
            Language::Cuda => {
                let counts = built.counted();
                assert!(counts.findings().is_empty(), "{name}: {:?}", counts.findings());
            }
            Language::OpenCl => {
                if let Some(output) = built.on_opencl() {
                    assert!(output.stdout == built.expected(), "{name}");
                }
            }
        }
    }
}

const WORDS: &str = r#"#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
typedef float real;
typedef int32_t place;
typedef unsigned char byte;
enum kind { ADD, SUB = 5, LESS = -7, LEAST = (-2147483647 - 1) };
typedef enum { RED, GREEN = 3 } colour;
static real twice(real x) { return (real) 2 * x + (real) GREEN; }
static int pick(int o) { const place r = 10; return o == SUB ? r : o == ADD ? 20 : (int) LESS; }
static int hides(int ADD) { int SUB = 3; return ADD + SUB; }
static double dot(int n, double *a, const double b[restrict]) {
  double s = *a;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}
static double first(double *a) { return a[0]; }
static double via(int n, double a[n]) { return first(a); }
static void put(double *restrict to, double v) { to[0] = v; to[1] = v + 1; }
void f(int n, double y[restrict n], const double x[restrict n], int op[restrict n], int z[restrict n], double w[restrict 2 * n], double c[restrict 4])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    z[i] = (place) (x[i] * 3.7) + (byte) (i * 77) + (int8_t) (i * 5) + (op[i] == SUB) + LESS + (_Bool) (x[i] - 1)
      + (op[i] < LEAST + 9) + (int) (colour) 2 + (int) sizeof(real) + pick(op[i]) + hides(op[i]);
    y[i] = (real) x[i] * (uint32_t) i + (size_t) i + twice((real) x[i]) + (uint16_t) (i * 1000) + dot(3, c, c + 1) + dot(2, &c[1], c) + via(1, c);
    put(&w[2 * i], y[i]);
  }
#pragma endscop
}
int main(void)
{
  static double y[300], x[300], w[600], c[4] = { 1, 2.5, -3, 4 };
  static int op[300], z[300];
  for (int i = 0; i < 300; i++) {
    x[i] = i * 0.37 - 50;
    op[i] = i % 9 - 2;
  }
  f(300, y, x, op, z, w, c);
  double s = 0;
  for (int i = 0; i < 300; i++)
    s += y[i] * (i % 7) + z[i] * (i % 11) + w[2 * i] * 3 + w[2 * i + 1];
  printf("%.17g\n", s);
}
"#;

#[test]
fn words_of_the_program_mean_the_same_in_kernels() {
    runs_the_same("words", WORDS);
    let built = Built::proved("words", WORDS, &options(Language::Cuda));
    are_in_order(
        built.kernels(),
        &[
            // The first of them is only read, and constant in kernels alone.
            "lw_dot(int n,const double *a,const double *b)",
            "lw_first(const double *a)",
            "(int) (x[",
            "(unsigned char) (",
            "== 5) + (-7)",
        ],
    );
    let opencl = Built::proved("words", WORDS, &options(Language::OpenCl));
    are_in_order(opencl.kernels(), &["lw_put(__global double *to,double v)"]);
}

const STEPS: &str = r#"#include <stdio.h>
enum { N = 67 };
void f(int T, int n, float a[restrict n][n], double b[restrict n], int first)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int c = 0; c < 2; c++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1 + (i + c) % 2; j < n - 1; j += 2)
          a[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
  for (int i = n - 1; i >= 0; i -= 3)
    b[i] = b[i] * 2 + i;
  for (int i = first; i < n; i += 4)
    b[i] = b[i] + 0.5;
#pragma endscop
}
int main(void)
{
  static float a[N][N];
  static double b[N];
  for (int i = 0; i < N; i++) {
    b[i] = i * 3 % 7;
    for (int j = 0; j < N; j++)
      a[i][j] = i * j % 13 * 0.3f;
  }
  f(2, N, a, b, 2);
  double s = 0;
  for (int i = 0; i < N; i++) {
    s += b[i] * i;
    for (int j = 0; j < N; j++)
      s += a[i][j] * (i + 2 * j);
  }
  printf("%.17g\n", s);
}
"#;

/// No thread asks which iterations are its own.
#[test]
fn loops_by_steps_are_loops_without_gaps() {
    runs_the_same("steps", STEPS);
    let mut hopper = options(Language::Cuda);
    on_hopper(&mut hopper);
    let built = Built::proved("steps", STEPS, &hopper);
    // The loop inside of the two loops of the grid.
    are_in_order(built.kernels(), &["+= blockDim.x", "* c"]);
}

const MEMBERS: &str = r#"#include <stdio.h>
struct parts { int n; double *restrict x, *restrict y; };
struct grid { int n, m; double *v; struct parts in; };
void f(struct parts *p, double dt)
{
#pragma scop
  for (int i = 0; i < p->n; i++)
    p->x[i] += dt * p->y[i];
#pragma endscop
}
void g(struct grid *g, double *restrict o)
{
#pragma scop
  for (int i = 0; i < g->n; i++)
    for (int j = 0; j < g->m; j++)
      o[i * g->m + j] = g->v[i * g->m + j] * 2 + g->in.x[i];
#pragma endscop
}
int main(void)
{
  static double x[300], y[300], v[600], o[600];
  struct parts p = { 300, x, y };
  for (int i = 0; i < 300; i++)
    x[i] = i, y[i] = i * 0.1;
  f(&p, 0.5);
  struct grid q = { 20, 30, v, p };
  for (int i = 0; i < 600; i++)
    v[i] = i % 7;
  g(&q, o);
  double s = 0;
  for (int i = 0; i < 600; i++)
    s += x[i / 2] * (i % 3) + o[i] * i;
  printf("%.17g\n", s);
}
"#;

#[test]
fn arrays_behind_members_are_arrays() {
    runs_the_same("members", MEMBERS);
}

/// The sign of a zero is that of the first one, which the order of comparisons decides.
const EXACT: &str = r#"#include <stdio.h>
#include <math.h>
long total(int n, int a[restrict n])
{
  long s = 5;
#pragma scop
  for (int i = 0; i < n; i++)
    s += a[i];
#pragma endscop
  return s;
}
int wrapping(int n, int a[restrict n])
{
  int s = 0;
#pragma scop
  for (int i = 0; i < n; i++)
    if (a[i] % 3 != 1)
      s -= a[i];
#pragma endscop
  return s;
}
int least(int n, int a[restrict n])
{
  int m = a[0];
#pragma scop
  for (int i = 0; i < n; i++)
    m = a[i] < m ? a[i] : m;
#pragma endscop
  return m;
}
double largest(int n, double a[restrict n], double m)
{
#pragma scop
  for (int i = 0; i < n; i++)
    if (a[i] > m)
      m = a[i];
#pragma endscop
  return m;
}
int main(void)
{
  static int a[3000];
  static double d[3000];
  for (int i = 0; i < 3000; i++) {
    a[i] = i * 791 % 3001 - 300;
    d[i] = -1 - i % 5;
  }
  printf("%ld %d %d\n", total(3000, a), wrapping(3000, a), least(3000, a));
  for (int i = 0; i < 3000; i++)
    a[i] = i % 2 ? 2000000000 : -2000000000;
  printf("%d\n", wrapping(3000, a));
  d[70] = NAN, d[3] = NAN;
  printf("%g %d\n", largest(3000, d, -9), largest(3000, d, NAN) > 0);
  d[2000] = -0.0, d[1500] = 0.0, d[301] = 0.0, d[300] = -0.0;
  printf("%g %g %g\n", largest(3000, d, -9), largest(3000, d, 0.0), largest(3000, d, -0.0));
  d[300] = 0.0;
  printf("%g\n", largest(3000, d, -9));
}
"#;

#[test]
fn results_that_no_order_changes_are_shared_by_threads() {
    runs_the_same("exact", EXACT);
    let built = Built::proved("exact", EXACT, &options(Language::Cuda));
    assert!(built.kernels().contains("unsigned int s_own;"), "{}", built.kernels());
    let code = &built.compiled.code;
    assert!(code.contains("&& (m != 0 || (m = m_before, 0))"), "{code}");
    let notes = built.notes();
    let bits = notes.iter().filter(|note| note.contains("bit by bit")).count();
    assert_eq!(bits, 4, "{notes:?}");
}

/// Sums of fractions are rounded in the order of the program, and so is what is left where a number is none.
#[test]
fn what_an_order_changes_keeps_it() {
    for (declared, update) in [
        ("double s", "s += a[i];"),
        ("double s", "s = s > a[i] ? s : a[i];"),
        ("int s", "s += 0.5 * a[i];"),
        ("short s", "s += i;"),
    ] {
        let text = format!(
            "void f(int n, double a[restrict n], int o[restrict 1]) {{\n  {declared} = 0;\n#pragma scop\n  for (int i = 0; i < n; i++)\n    {update}\n#pragma endscop\n  o[0] = s;\n}}\n"
        );
        let built = Built::with("order", &text, &options(Language::Cuda)).expect("it compiles");
        assert!(built.compiled.device_file().is_none(), "{update}: {}", built.compiled.report);
    }
}

const ACCUMULATORS: &str = r#"#include <stdio.h>
enum { N = 40, M = 37, K = 29 };
void product(int n, int m, int k, double C[restrict n][m], double A[restrict n][k], double B[restrict k][m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double s = 0;
      for (int l = 0; l < k; l++)
        s += A[i][l] * B[l][j];
      C[i][j] = s;
    }
#pragma endscop
}
void rows(int n, int m, double y[restrict n], double z[restrict n], double A[restrict n][m], double x[restrict m])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (int j = 0; j < m; j++) {
      s += A[i][j] * x[j];
      t += A[i][j];
    }
    y[i] = s;
    z[i] = t;
  }
#pragma endscop
}
int main(void)
{
  static double C[N][M], A[N][K], B[K][M], y[N], z[N], x[K];
  for (int l = 0; l < K; l++) {
    x[l] = l % 5 * 0.3;
    for (int i = 0; i < N; i++)
      A[i][l] = i * l % 17 * 0.1 - 0.4;
    for (int j = 0; j < M; j++)
      B[l][j] = (l + 3 * j) % 11 * 0.7;
  }
  product(N, M, K, C, A, B);
  rows(N, K, y, z, A, x);
  double s = 0;
  for (int i = 0; i < N; i++) {
    s += y[i] * (i + 1) + z[i] * i;
    for (int j = 0; j < M; j++)
      s += C[i][j] * (i + j);
  }
  printf("%.17g\n", s);
}
"#;

#[test]
fn local_accumulators_are_the_elements_that_they_end_in() {
    runs_the_same("accumulators", ACCUMULATORS);
    let mut hopper = options(Language::Cuda);
    on_hopper(&mut hopper);
    let built = Built::proved("accumulators", ACCUMULATORS, &hopper);
    assert!(built.kernels().contains("__shared__ "), "{}", built.kernels());
    let notes = built.notes();
    let said = "`s` accumulates in the element of `C` that it ends in";
    assert!(notes.iter().any(|note| note == said), "{notes:?}");
    let claim = "elements in place of local variables have the values that these have";
    let regions = &built.compiled.report.regions;
    assert!(regions.iter().all(|region| region.proofs.iter().any(|(own, _)| *own == claim)));
}

const LENGTHS: &str = r#"#include <stdio.h>
void count(int n, int nb, const int *restrict a, int *restrict h)
{
#pragma scop
  for (int i = 0; i < nb; i++)
    h[i] = 0;
  for (int i = 0; i < n; i++)
    h[a[i]]++;
#pragma endscop
}
void image(int n, int m, const unsigned char *restrict a, unsigned *restrict h)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      h[a[i * m + j] / 4 + 2] += 3;
#pragma endscop
}
int main(void)
{
  static int a[1000], all[130], *h = all + 20;
  static unsigned g[80];
  static unsigned char p[40 * 50];
  for (int i = 0; i < 1000; i++)
    a[i] = i * 791 % 100;
  for (int i = 0; i < 2000; i++)
    p[i] = i * 37;
  for (int i = 0; i < 130; i++)
    all[i] = 7;
  count(1000, 60, a, h);
  a[17] = -15, a[18] = 105;
  count(1000, 110, a, h);
  count(0, 5, a, h);
  image(40, 50, p, g);
  long s = 0;
  for (int i = 0; i < 130; i++)
    s += (long) all[i] * (i + 1);
  for (int i = 0; i < 80; i++)
    s += (long) g[i] * (i + 1);
  printf("%ld\n", s);
}
"#;

/// Subscripts in front of the first element are left to the processor, those behind the last affine one are
/// copied as well.
#[test]
fn subscripts_say_how_long_an_array_is() {
    runs_the_same("lengths", LENGTHS);
    let built = Built::proved("lengths", LENGTHS, &options(Language::Cuda));
    are_in_order(built.kernels(), &["atomicAdd(&h[a["]);
    let code = &built.compiled.code;
    are_in_order(
        code,
        &["long h_length = 0;", "const long h_at = a[", "if (h_length >= 0", "== 0) {"],
    );
}
