/* Pointers that move: in loops, nests and rows, as iterators, with last values. */
#include <stdio.h>
#include <stdlib.h>
#define N 40

static double a[N], b[4 * N], m[N][N];
struct point { double x, y; };

static void fill(int n) {
  double *p = a;
#pragma scop
  for (int i = 0; i < n; i++)
    *p++ = i;
#pragma endscop
  printf("%td\n", p - a);
}

static double *copy(int n, double *restrict to, const double *restrict from) {
#pragma scop
  for (int i = 0; i < n; i++) {
    *to = *from * 2;
    from++;
    to += 2;
  }
#pragma endscop
  return to;
}

static void rows(int n) {
  double *q;
  int i, j;
#pragma scop
  for (i = 0; i < n; i++) {
    q = m[i];
    for (j = 0; j < n; j++)
      *q++ += i * j;
  }
#pragma endscop
}

static void over(int n) {
  double *p;
#pragma scop
  for (p = a + 1; p < a + n; p++)
    *p += p[-1];
  for (p = a + n - 1; p >= a; p -= 2)
    *p = -*p;
#pragma endscop
}

static void backwards(int n) {
  double *p = b, *q = b + 2 * n;
  int i;
#pragma scop
  for (i = 0; i < n; i++) {
    *--q = i;
    p[1] = *q + 1;
    p = p + 1;
  }
  *p = 100;
  q -= 3;
#pragma endscop
  printf("%td %td\n", p - b, q - b);
}

static void members(int n, struct point *p) {
  struct point *start = p;
  int i;
#pragma scop
  for (i = 0; i < n; i++) {
    p->x = i;
    p->y = 2 * i;
    p++;
  }
#pragma endscop
  printf("%td\n", p - start);
}

static double flat(int n, const double *x) {
  double s = 0;
  const double *y = x;
  int i, j;
#pragma scop
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      s += *y++ * (i + 1);
#pragma endscop
  return s;
}

static const double *weighed(int n, const double *x, double *restrict s) {
  int i, j;
#pragma scop
  for (i = 0; i < n; i++)
    for (j = 0; j < 4; j++) {
      s[i] += *x * (j + 1);
      x++;
    }
#pragma endscop
  return x;
}

static double *twice(int n, double *restrict p, double *restrict x) {
  int i, j;
#pragma scop
  for (i = 0; i < n; i++)
    *p++ = i;
  p = x;
  for (i = 0; i < n; i++) {
    for (j = 0; j < 2; j++)
      *p++ += j;
    p--;
  }
#pragma endscop
  return p;
}

int main(void) {
  struct point points[N];
  double *owned = malloc(4 * N * sizeof(double));
  for (int i = 0; i < 4 * N; i++)
    owned[i] = b[i] = i % 7;
  fill(N - 3);
  fill(0);
  over(N - 1);
  printf("%td\n", copy(N, owned, a) - owned);
  rows(N);
  backwards(N);
  members(N, points);
  printf("%g\n", flat(6, owned));
  printf("%td\n", weighed(6, owned, a) - owned);
  printf("%td\n", twice(6, a + 20, b) - b);
  for (int i = 0; i < N; i++)
    printf("%g %g %g %g %g\n", a[i], b[2 * i], owned[2 * i], m[i][i / 2], points[i].x + points[i].y);
  return 0;
}
