//! Variables that may be the same memory: where they are apart when the program runs, what was made of the
//! region runs, and elsewhere the region as it was written.

use crate::branches_taken::{branches_taken, output_of};

/// Functions with pointers to anything, called with memory that is apart and with memory that is not.
///
/// `taken(k)` says that the call behind it was to take the branch `k`: 0 for what was made of the region.
const PROGRAM: &str = r#"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int as_written, n_calls;
static double block[400];
static float floats[400];
static int numbers[400];
static unsigned char bytes[400];
double total;

static void reset(void) {
  for (int i = 0; i < 400; i++) {
    block[i] = i * 7 % 23;
    floats[i] = i * 5 % 17;
    numbers[i] = 3;
    bytes[i] = i * 3;
  }
  total = 2;
}
/* What all memory has in it now; whether the last call ran the region as it was written goes to a line of its own. */
static void show(const char *name) {
  double sum = 0;
  for (int i = 0; i < 400; i++)
    sum = 0.99 * sum + block[i] + 3 * floats[i] + 5 * numbers[i] + 7 * bytes[i];
  printf("%s %.17g %.17g\n", name, sum, total);
  printf("taken %s %d\n", name, as_written);
  as_written = 0;
  reset();
}

void dots(int n, int m, const float *a, const float *b, float *out) {
#pragma scop
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++)
      s += a[j] * b[j];
    out[i] = s;
  }
#pragma endscop
}
void shift(int n, double *a, double *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 1;
#pragma endscop
}
void backwards(size_t n, double *a, double *b) {
#pragma scop
  for (size_t i = 0; i < n; i++)
    a[n - 1 - i] = 2 * b[i];
#pragma endscop
}
void down(int n, double *a, double *b) {
#pragma scop
  for (int i = n - 1; i >= 0; i--)
    a[-i] = 2 * b[-2 * i];
#pragma endscop
}
struct body { double place, speed; };
void move(int n, struct body *p, struct body *q) {
#pragma scop
  for (int i = 0; i < n; i++)
    p[i].place += q[i].speed;
#pragma endscop
}
struct pair { double *a, *b; };
void members(int n, struct pair *s) {
#pragma scop
  for (int i = 0; i < n; i++)
    s->a[i] = 2 * s->b[i];
#pragma endscop
}
void matrices(int n, int m, double *c, int ldc, const double *a, int lda) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i * ldc + j] += a[i * lda + j];
#pragma endscop
}
void wide(long n, long m, double *c, size_t ldc, const double *a, size_t lda) {
#pragma scop
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      c[i * ldc + j] += a[i * lda + j];
#pragma endscop
}
void rows(int n, int w, double (*m)[w], const double *x) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < w; j++)
      m[i][j] += x[j];
#pragma endscop
}
void sums(int n, double *a) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = a[i] + total;
#pragma endscop
}
void bounded(int *n, int *a) {
#pragma scop
  for (int i = 0; i < *n; i++)
    a[i] = i + 20;
#pragma endscop
}
void copy(int n, unsigned char *a, const unsigned char *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = b[i];
#pragma endscop
}
void smooth(int n, double *a, const double *b) {
#pragma scop
  for (int i = 1; i < n - 1; i++)
    a[i] = b[i - 1] + b[i] + b[i + 1];
  for (int i = 0; i < n; i += 2)
    a[i] = 3 * a[i] + b[2 * i];
#pragma endscop
}

int main(void) {
  reset();
  dots(20, 30, floats, floats + 50, floats + 100); show("dots apart");
  dots(20, 30, floats, floats + 50, floats + 5); show("dots overlap");
  dots(20, 30, floats + 100, floats + 50, floats + 80); show("dots touch");
  dots(21, 30, floats + 100, floats + 50, floats + 80); show("dots overlap by one");
  dots(0, 30, floats, floats + 50, floats + 5); show("dots empty");
  shift(30, block, block + 30); show("shift touch");
  shift(30, block + 1, block); show("shift overlap");
  shift(30, block, block + 1); show("shift overlap back");
  shift(30, block, block); show("shift same");
  shift(0, block, block); show("shift empty");
  shift(-2147483647 - 1, block, block); show("shift empty by far");
  backwards(40, block, block + 40); show("backwards touch");
  backwards(40, block, block + 39); show("backwards overlap by one");
  backwards(0, block, block); show("backwards empty");
  down(50, block + 50, block + 200); show("down apart");
  down(50, block + 150, block + 200); show("down overlap");
  down(50, block + 101, block + 100); show("down overlap by far");
  move(30, (struct body *) block, (struct body *) block + 30); show("move touch");
  move(30, (struct body *) block, (struct body *) block + 29); show("move overlap");
  struct pair s = { block, block + 100 }, t = { block + 1, block };
  members(100, &s); show("members touch");
  members(100, &t); show("members overlap");
  members(0, 0); show("members empty");
  matrices(5, 10, block, 20, block + 100, 20); show("matrices apart");
  matrices(5, 10, block, 20, block + 10, 20); show("matrices side by side");
  matrices(5, 10, block, 20, block + 1, 20); show("matrices overlap");
  matrices(5, 10, block, 3, block + 100, 3); show("matrices narrow");
  wide(5, 10, block, 20, block + 100, 20); show("wide apart");
  wide(5, 10, block, 20, block + 1, 20); show("wide overlap");
  wide(1, 10, block, (size_t) 1 << 60, block + 10, (size_t) 1 << 60); show("wide far");
  rows(5, 10, (double (*)[10]) block, block + 50); show("rows touch");
  rows(5, 10, (double (*)[10]) block, block + 41); show("rows overlap");
  sums(30, block); show("sums apart");
  sums(1, &total); show("sums overlap");
  numbers[300] = 30;
  bounded(numbers + 300, numbers); show("bounded apart");
  bounded(numbers + 2, numbers); show("bounded overlap");
  copy(100, bytes, bytes + 100); show("copy touch");
  copy(100, bytes + 1, bytes); show("copy overlap");
  smooth(40, block, block + 100); show("smooth apart");
  smooth(40, block + 60, block); show("smooth overlap");
  return 0;
}
"#;

/// The branch that each call is to take: 1 for the region as it was written.
const TAKEN: [(&str, &str); 39] = [
    ("dots apart", "0"),
    ("dots overlap", "1"),
    ("dots touch", "0"),
    ("dots overlap by one", "1"),
    ("dots empty", "0"),
    ("shift touch", "0"),
    ("shift overlap", "1"),
    ("shift overlap back", "1"),
    ("shift same", "0"),
    ("shift empty", "0"),
    ("shift empty by far", "0"),
    ("backwards touch", "0"),
    ("backwards overlap by one", "1"),
    ("backwards empty", "0"),
    ("down apart", "0"),
    ("down overlap", "1"),
    ("down overlap by far", "1"),
    ("move touch", "0"),
    ("move overlap", "1"),
    ("members touch", "0"),
    ("members overlap", "1"),
    ("members empty", "0"),
    ("matrices apart", "0"),
    ("matrices side by side", "1"),
    ("matrices overlap", "1"),
    ("matrices narrow", "1"),
    ("wide apart", "0"),
    ("wide overlap", "1"),
    ("wide far", "1"),
    ("rows touch", "0"),
    ("rows overlap", "1"),
    ("sums apart", "0"),
    ("sums overlap", "1"),
    ("bounded apart", "0"),
    ("bounded overlap", "1"),
    ("copy touch", "0"),
    ("copy overlap", "1"),
    ("smooth apart", "0"),
    ("smooth overlap", "1"),
];

#[test]
fn what_was_made_of_a_region_runs_where_its_memory_is_apart() {
    let (compiled, taken) = branches_taken("apart", PROGRAM, output_of);
    assert!(compiled.code.matches("#pragma omp parallel for").count() >= 10, "{}", compiled.code);
    let expected: Vec<String> =
        TAKEN.iter().map(|(name, branch)| format!("{name} {branch}")).collect();
    assert_eq!(taken, expected);
}
