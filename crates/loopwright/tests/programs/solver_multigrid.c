/* V cycles over levels that are an array of structures with pointers. */
#include <stdio.h>
#include <stdlib.h>

#define LEVELS 5

typedef struct {
  int n;
  double *u, *f, *r;
} level;

static void smooth(level *l, int sweeps) {
  int n = l->n;
  double h2 = 1.0 / ((double)n * n);
  double *restrict u = l->u;
  const double *restrict f = l->f;
#pragma scop
  for (int s = 0; s < sweeps; s++)
    for (int i = 1; i < n; i++)
      u[i] = 0.5 * (u[i - 1] + u[i + 1] + h2 * f[i]);
#pragma endscop
}

static void restrict_residual(const level *fine, level *coarse) {
  int n = fine->n;
  double inverse = (double)n * n;
  const double *u = fine->u, *f = fine->f;
  double *r = fine->r, *g = coarse->f, *v = coarse->u;
#pragma scop
  for (int i = 1; i < n; i++)
    r[i] = f[i] + inverse * (u[i - 1] - 2 * u[i] + u[i + 1]);
  for (int i = 1; i < n / 2; i++) {
    g[i] = 0.25 * r[2 * i - 1] + 0.5 * r[2 * i] + 0.25 * r[2 * i + 1];
    v[i] = 0;
  }
#pragma endscop
}

static void correct(level *fine, const level *coarse) {
  double *u = fine->u;
  const double *v = coarse->u;
#pragma scop
  for (int i = 0; i < fine->n / 2; i++) {
    u[2 * i] += v[i];
    u[2 * i + 1] += 0.5 * (v[i] + v[i + 1]);
  }
#pragma endscop
}

static void cycle(level *levels, int depth) {
  smooth(&levels[depth], 3);
  if (depth + 1 < LEVELS) {
    restrict_residual(&levels[depth], &levels[depth + 1]);
    cycle(levels, depth + 1);
    correct(&levels[depth], &levels[depth + 1]);
  }
  smooth(&levels[depth], 3);
}

int main(void) {
  level levels[LEVELS];
  for (int d = 0; d < LEVELS; d++) {
    level *l = &levels[d];
    l->n = 128 >> d;
    l->u = calloc(l->n + 1, sizeof(double));
    l->f = calloc(l->n + 1, sizeof(double));
    l->r = calloc(l->n + 1, sizeof(double));
  }
  for (int i = 1; i < 128; i++)
    levels[0].f[i] = i % 9 - 3.0;
  for (int k = 0; k < 6; k++)
    cycle(levels, 0);
  printf("%.9f %.9f\n", levels[0].u[32], levels[0].u[100]);
  return 0;
}
