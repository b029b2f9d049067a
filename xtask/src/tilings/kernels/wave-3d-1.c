/* The wave equation in space with two levels of time, of radius 1. */
#include "stencil.h"

#ifndef N
#define N 200
#endif
#ifndef M
#define M 200
#endif

static double u[2][N][M][M];

static void kernel(int steps, int n, int m)
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < m - 1; k++)
          u[(t + 1) % 2][i][j][k] = 2.0 * u[t % 2][i][j][k] - u[(t + 1) % 2][i][j][k]
              + 0.1 * (-6.0 * u[t % 2][i][j][k]
                + 1.0 * (u[t % 2][i + 1][j][k] + u[t % 2][i - 1][j][k] + u[t % 2][i][j + 1][k]
                    + u[t % 2][i][j - 1][k] + u[t % 2][i][j][k + 1] + u[t % 2][i][j][k - 1]));
#pragma endscop
}

static void prepare(void)
{
  fill((double *)u, ELEMENTS(u));
}

static unsigned long long result(void)
{
  unsigned long long all = 14695981039346656037ull;
  all = sum(all, (const double *)u, ELEMENTS(u));
  return all;
}
