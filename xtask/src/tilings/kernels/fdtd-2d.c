/* Electric and magnetic fields in the plane, half a step and half a point apart. */
#include "stencil.h"

#ifndef N
#define N 2000
#endif
#ifndef M
#define M 2000
#endif

static double ex[N][M], ey[N][M], hz[N][M], source[1024];

static void kernel(int steps, int n, int m)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < m; j++)
      ey[0][j] = source[t];
    for (int i = 1; i < n; i++)
      for (int j = 0; j < m; j++)
        ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m; j++)
        ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < m - 1; j++)
        hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
#pragma endscop
}

static void prepare(void)
{
  fill((double *)ex, ELEMENTS(ex));
  fill((double *)ey, ELEMENTS(ey));
  fill((double *)hz, ELEMENTS(hz));
  fill((double *)source, ELEMENTS(source));
}

static unsigned long long result(void)
{
  unsigned long long all = 14695981039346656037ull;
  all = sum(all, (const double *)ex, ELEMENTS(ex));
  all = sum(all, (const double *)ey, ELEMENTS(ey));
  all = sum(all, (const double *)hz, ELEMENTS(hz));
  all = sum(all, (const double *)source, ELEMENTS(source));
  return all;
}
