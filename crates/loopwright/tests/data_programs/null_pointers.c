// Pointers that may be null: tests of them, and what is read behind them only where the region reads it.
#include <stdio.h>
#include <stdlib.h>

struct grid {
  int n, m;
  double values[40];
};

double total[40];

// Without `g` nothing behind it is read, without rows nothing behind `p`.
void add(int n, struct grid *restrict g, double *restrict p, double *restrict a) {
#pragma scop
  if (g)
    for (int i = 0; i < g->n; i++)
      a[i] += g->values[i];
  if (p != NULL && n > 3)
    for (int i = 0; i < n; i++)
      p[i] += i;
  for (int i = 0; i < n; i++) {
    if (NULL == p)
      a[i] *= 2;
    else
      a[i] += p[i];
  }
  if (!p || !g)
    a[0] = -1;
#pragma endscop
}

void bounds(int n, int k, struct grid *restrict g, double a[restrict][40]) {
  int i;
#pragma scop
  for (i = k; i < n; i++)
    for (int j = 0; j < g->m; j++)
      a[i][j] += j;
  if (k > 2)
    for (i = 0; i < g->m; i++)
      a[i][0] += g->values[i];
  else
    for (i = 0; i < 4; i++)
      if (n > 0)
        for (int j = i; j < g[1].n; j++)
          a[i][j] *= 2;
#pragma endscop
}

// The first iteration has no inner one: when `g` is read is not known by it.
void triangle(int n, struct grid *restrict g, double a[restrict][40]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < g->n; k++)
        a[i][j] += k;
#pragma endscop
}

// Tests inside of statements.
void inside(int n, const int *restrict x, double *restrict p, double *restrict a) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int k = x[i];
    while (k > 0 && (p || k > 2)) {
      a[i] += p == NULL ? k : 2 * k;
      k -= !p + 1;
    }
    if (x[i] > 1 && p)
      p[i] += x[i];
  }
#pragma endscop
}

double *scale;
static double *offset;

// Global pointers, and one that a function keeps.
void globals(int n, double *restrict a) {
  static double *kept;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (scale)
      a[i] *= 3;
    if (kept == NULL && offset != NULL)
      a[i] += offset[i];
  }
#pragma endscop
  kept = n > 5 ? offset : kept;
}

int main(void) {
  static double p[40], a[40], rows[40][40];
  static struct grid g[2] = {{17, 9, {1, 2, 3}}, {12, 5, {4}}};
  add(20, g, p, a);
  add(2, g, NULL, a);
  add(20, NULL, p, a);
  add(0, NULL, NULL, a);
  bounds(12, 0, g, rows);
  bounds(7, 1, g, rows);
  bounds(0, 1, NULL, rows);
  bounds(9, 5, g, rows);
  bounds(7, 7, calloc(2, sizeof(struct grid)), rows);
  const int x[] = {4, 0, 7, 1, 2, 9};
  inside(6, x, NULL, a);
  inside(5, x, p, a);
  triangle(1, NULL, rows);
  triangle(8, g, rows);
  globals(9, a);
  scale = offset = p;
  globals(5, a);
  globals(8, a);
  globals(7, a);
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++)
      if (rows[i][j] != 0)
        printf("%d %d %g\n", i, j, rows[i][j]);
  for (int i = 0; i < 40; i++)
    printf("%g %g\n", p[i], a[i]);
  return 0;
}
