//! Loops as programs write them: temporaries that later code assigns again, iterators of the file, sizes
//! behind pointers, products as bounds, values in front of the blocks that use them. The new loops are
//! parallel and give the same results.
use crate::parallel_functions::{function, parallel_and_the_same};

/// Functions whose loops become parallel, each a part of the text, and a `main` that prints what they do.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <string.h>

typedef struct { int rows, cols; double *data; } matrix;
static double a[400], b[400], c[400];
static int order;
static int i, j;
int seen;

/* A temporary that the next loop assigns again. */
double temporaries(int n) {
  double t;
  int k;
  for (k = 0; k < 3; k++) {
    order++;
    for (i = 0; i < n; i++) {
      t = a[i] + k;
      b[i] = t * t;
    }
    printf("%d ", order);
    for (i = 0; i < n; i++) {
      t = b[i] - k;
      c[i] += t * 0.5;
    }
    printf("%d\n", i);
  }
  t = 2;
  return t * c[n > 0 ? n - 1 : 0];
}
/* Sizes behind two pointers, of which one decides whether the other one is read. */
void copy(matrix *to, const matrix *from) {
  for (int y = 0; y < to->rows; y++)
    for (int x = 0; x < to->cols; x++)
      to->data[y * to->cols + x] = 2 * from->data[y * from->cols + x];
}
/* Iterators of the file. */
void outside(int n, int *p) {
  for (seen = 0; seen < n; seen++)
    p[seen] = 3 * seen;
}
/* Bounds and conditions that only the run computes. */
void products(int n, int m, int shift) {
  if (m != 0)
    for (int x = 0; x < n % m; x++)
      a[x] += 1;
  for (int x = 0; x < n * m; x++)
    b[x] += x;
  for (int x = 0; x < (1 << shift); x++)
    c[x] += 2;
}
void all_of(const matrix *m, double by) {
  for (int x = 0; x < m->rows * m->cols; x++)
    m->data[x] *= by;
}
/* Blocks of a variable number of rows, with the same name for a row in two loops. */
void blocks(int groups, int size, int width) {
  for (int o = 0; o < groups * size; o += 4) {
    double sums[4];
    for (int q = 0; q < 4; q++) {
      int row = o + q;
      sums[q] = a[row * width];
      for (int k = 1; k < width; k++)
        sums[q] += a[row * width + k];
    }
    for (int q = 0; q < 4; q++) {
      int row = o + q;
      b[row] = sums[q];
    }
  }
}
/* A block's own iterator, used after its loop. */
void corners(int n, double (*x)[20], double (*y)[20]) {
  for (int k = 0; k < n; k++) {
    int r, q;
    for (r = 1; r < 19; r++)
      for (q = 1; q < 19; q++)
        y[r][q] = x[r - 1][q] + x[r][q - 1];
    y[0][0] = x[0][q - 1] + r;
  }
}
/* Values that the next iteration of a loop around two regions reads. */
void carried(int n, int steps) {
  double *p = c;
  int from = 1, at = 0;
  for (int k = 1; k <= steps; k++) {
    printf("%d\n", k);
    for (i = 0; i < n; i++)
      *p++ += i;
    printf("%d\n", k);
    a[from] = k;
    for (from = 0; from < n; from++)
      a[from + 50] += from;
    printf("%d\n", k);
    do {
      b[at] += k;
      at = at + 1;
    } while (at < 9 * k);
  }
}
/* Totals of integers, in any order; of fractions in that of the program. */
int totals(int n, const int *x, const unsigned char *y, long *results) {
  int sum = 3, count = 0, most = x[0];
  unsigned char low = 250;
  for (int k = 0; k < n; k++)
    sum += x[k] - 2;
  for (int k = 0; k < n; k++)
    if (a[k] > 4.5)
      count++;
  for (int k = 0; k < n; k++)
    if (x[k] > most)
      most = x[k];
  for (int k = 0; k < n; k++)
    low += y[k];
  results[0] = count;
  results[1] = most;
  results[2] = low;
  return sum;
}
double fractions(int n) {
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[k];
  return sum;
}
static void show(const char *name) {
  double sum = 0;
  for (int k = 0; k < 400; k++)
    sum = 0.97 * sum + a[k] + 3 * b[k] + 5 * c[k];
  printf("%s %.17g %d %d %d\n", name, sum, i, j, seen);
}
int main(void) {
  int numbers[50];
  for (int k = 0; k < 400; k++)
    a[k] = k % 13, b[k] = k % 7, c[k] = k % 5;
  for (int n = -1; n < 40; n += 13) {
    printf("%g\n", temporaries(n));
    show("temporaries");
  }
  for (int rows = 0; rows < 4; rows++) {
    matrix to = { rows, 5, a }, from = { rows, 6, b }, narrow = { rows, 3, c };
    copy(&to, rows > 0 ? &from : NULL);
    show("copy");
    copy(&to, &narrow);
    copy(&narrow, &narrow);
    all_of(&narrow, 0.5);
    show("all");
  }
  for (int n = -1; n < 50; n += 17) {
    memset(numbers, 0, sizeof numbers);
    outside(n, numbers);
    for (int k = 0; k < 50; k++)
      printf("%d ", numbers[k]);
    show("outside");
  }
  for (int n = -3; n < 20; n += 7)
    for (int m = -2; m < 14; m += 2)
      products(n, m, n & 7);
  show("products");
  for (int n = -1; n < 50; n += 5) {
    unsigned char bytes[50];
    long results[3];
    for (int k = 0; k < 50; k++)
      numbers[k] = k * 37 % 23 - 9, bytes[k] = k * 41;
    int sum = totals(n, numbers, bytes, results);
    printf("%d %ld %ld %ld %g\n", sum, results[0], results[1], results[2], fractions(n));
  }
  carried(30, 3);
  carried(0, 2);
  show("carried");
  blocks(2, 6, 5);
  blocks(0, 6, 5);
  show("blocks");
  corners(3, (double (*)[20]) a, (double (*)[20]) b);
  corners(0, (double (*)[20]) a, (double (*)[20]) c);
  show("corners");
  return 0;
}
"#;

#[test]
fn loops_are_parallel_and_right_however_they_are_written() {
    let loops = [
        ("temporaries", 2),
        ("copy", 1),
        ("outside", 1),
        ("products", 3),
        ("all_of", 1),
        ("blocks", 1),
        ("corners", 1),
    ];
    let code = parallel_and_the_same("ways", PROGRAM, &loops);
    let totals = function(&code, "totals");
    let sums = ["(loopwright_sum: sum)", "(loopwright_sum: count)"];
    for clause in sums.into_iter().chain(["(max: most)", "(+: low)"]) {
        assert!(totals.contains(&format!("reduction{clause}")), "{clause}: {totals}");
    }
    assert!(!function(&code, "fractions").contains("reduction("));
}
