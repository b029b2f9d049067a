//! Heads of loops that set, declare and advance several variables: the loops are parallel and give the same
//! results.
use crate::parallel_functions::parallel_and_the_same;

const PROGRAM: &str = r#"
#include <stdio.h>

typedef struct { int rows, cols; double *data[40]; } matrix;
static double a[2000], b[2000], store[40][40];
double *last;

/* The head declares what moves with the iterator. */
void together(int n) {
  for (int i = 0, k = 5; i < n; i++, k += 2)
    a[i] += k;
  for (int i = 0, j = n - 1; i < n; i++, j--)
    b[i] = 2 * a[j];
}
/* Boxes of a fixed capacity with a number of particles each. */
void boxes(int n, const int *filled) {
  for (int box = 0; box < n; box++)
    for (int at = 16 * box, i = 0; i < 7; i++, at++)
      b[at] = a[at] * i;
}
/* Two ends that meet. */
void mirror(int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    double t = a[i];
    a[i] = a[j];
    a[j] = t;
  }
}
void pointers(int n) {
  for (double *p = a, *end = a + n; p < end; p++)
    *p *= 0.5;
}
/* Elimination with pointers to rows, set in heads of three parts. */
int eliminate(matrix *m, int n) {
  int i, j, k;
  double t, *first, *to, *from;
  for (k = 0; k < n - 1; k++) {
    first = m->data[k] + k;
    if (*first == 0)
      continue;
    t = -1.0 / *first;
    for (i = k + 1, from = first + 1; i < n; i++, from++)
      *from *= t;
    for (j = k + 1; j < n; j++) {
      t = m->data[j][k];
      for (i = k + 1, to = m->data[j] + k + 1, from = first + 1; i < n; i++, to++, from++)
        *to += t * *from;
    }
  }
  return k;
}
/* What the head reads before it assigns it again is what the loop before has left. */
int kept(int n) {
  int i, k = 0, x;
  for (i = 0; i < n; i++, k += 3)
    a[i] += 1;
  for (x = k, k = 0, i = 0; i < n; i++, k++)
    b[k] += x;
  return x + k;
}
int main(void) {
  int filled[40];
  matrix m = {40, 40};
  for (int i = 0; i < 40; i++) {
    filled[i] = i % 8;
    m.data[i] = store[i];
    for (int j = 0; j < 40; j++)
      store[i][j] = (i * j) % 7 + (i == j ? 9 : 0);
  }
  int sizes[] = {-1, 0, 1, 2, 7, 39, 40};
  double sum = 0;
  for (int s = 0; s < 7; s++) {
    together(sizes[s] * 40);
    boxes(sizes[s], filled);
    mirror(sizes[s]);
    pointers(sizes[s]);
    printf("%d ", kept(sizes[s]));
    printf("%d\n", eliminate(&m, sizes[s]));
    for (int i = 0; i < 2000; i++)
      sum = sum * 0.75 + a[i] + 3 * b[i];
    for (int i = 0; i < 1600; i++)
      sum = sum * 0.75 + store[i / 40][i % 40];
    printf("%.17g\n", sum);
  }
  return 0;
}
"#;

#[test]
fn loops_whose_heads_have_several_parts_are_regions() {
    let loops =
        ["together", "boxes", "mirror", "pointers", "kept", "eliminate"].map(|name| (name, 1));
    parallel_and_the_same("heads", PROGRAM, &loops);
}
