/* Pointers that data moves: compaction, filters, searches, buffers that change places. */
#include <stdio.h>
#define N 40

static double x[N], y[2 * N], rows[N][N];
static int keys[N];
static unsigned char text[2 * N], out[4 * N];

static int compact(int n) {
  double *p;
  int i;
#pragma scop
  p = y;
  for (i = 0; i < n; i++) {
    if (x[i] > 2)
      *p++ = x[i];
    rows[0][i] = x[i] * 2;
  }
#pragma endscop
  return p - y;
}

static void rows_of_positives(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    double *to = rows[i];
    for (int j = 0; j < n; j++)
      if (rows[i][j] > 5)
        *to++ = rows[i][j];
    y[i] = to - rows[i];
  }
#pragma endscop
}

static int escaped(int n) {
  unsigned char *to = out;
  int i;
#pragma scop
  to = out;
  for (i = 0; i < n; i++) {
    if (text[i] % 3 == 0)
      *to++ = '!';
    *to++ = text[i];
  }
  for (i = 0; i < n; i++)
    text[i] = out[i] + 1;
#pragma endscop
  return to - out;
}

static void buffers(int n, int steps) {
  double *from = x, *to = y, *other;
  int i, t;
#pragma scop
  from = x;
  to = y;
  for (t = 0; t < steps; t++) {
    for (i = 1; i < n - 1; i++)
      to[i] = from[i - 1] + from[i + 1];
    if (keys[t] > 10) {
      other = from;
      from = to;
      to = other;
    }
  }
#pragma endscop
  printf("%d %g\n", from == x, to[1]);
}

static void greatest(int n) {
  double *best = 0;
#pragma scop
  best = 0;
  for (int i = 0; i < n; i++)
    if (best == 0 || x[i] > *best)
      best = &x[i];
  if (best)
    *best = -1;
#pragma endscop
}

static void merge(int n, int m) {
  double *a, *b;
#pragma scop
  a = x;
  b = rows[1];
  for (int i = 0; i < n + m; i++)
    y[i] = b == rows[1] + m || (a < x + n && *a < *b) ? *a++ : *b++;
  for (int i = 0; i < n; i++)
    x[i] += y[i];
#pragma endscop
}

/* The array is read through the pointer only. */
static double last_of_local(int n) {
  double z[N], *p;
  int i;
  z[0] = -5;
#pragma scop
  p = z + 1;
  for (i = 1; i < n; i++)
    if (keys[i] > 5)
      *p++ = i;
#pragma endscop
  return p[-1];
}

static double last_of_walk(int n) {
  double z[N + 1], *p;
  int i;
  z[0] = -5;
#pragma scop
  p = z + 1;
  for (i = 1; i < n; i++)
    *p++ = i;
#pragma endscop
  return p[-1];
}

int main(void) {
  static const int runs[][2] = {{12, 9}, {0, 4}, {5, 0}, {1, 1}, {30, 8}};
  for (int run = 0; run < 5; run++) {
    int n = runs[run][0], m = runs[run][1];
    for (int i = 0; i < N; i++) {
      x[i] = i * 29 % 17 - 4;
      keys[i] = i * 7 % 23;
      for (int j = 0; j < N; j++)
        rows[i][j] = (i * 5 + j * 3) % 11;
    }
    for (int i = 0; i < 2 * N; i++) {
      y[i] = i % 5;
      text[i] = i * 37 % 251;
    }
    printf("%d %d\n", compact(n), escaped(n));
    rows_of_positives(m);
    buffers(n, m);
    greatest(n);
    merge(n, m);
    printf("%g %g\n", last_of_local(n), last_of_walk(n));
    for (int i = 0; i < N; i++)
      printf("%g %g %g %g %d %d\n", x[i], y[i], y[N + i], rows[1][i] + rows[3][i], text[i], out[3 * i]);
  }
  return 0;
}
