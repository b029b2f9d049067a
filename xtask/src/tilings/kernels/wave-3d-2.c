/* The wave equation in space with two levels of time, of radius 2. */
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
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 2; j++)
        for (int k = 2; k < m - 2; k++)
          u[(t + 1) % 2][i][j][k] = 2.0 * u[t % 2][i][j][k] - u[(t + 1) % 2][i][j][k]
              + 0.1 * (-7.5 * u[t % 2][i][j][k]
                + 1.3333 * (u[t % 2][i + 1][j][k] + u[t % 2][i - 1][j][k] + u[t % 2][i][j + 1][k]
                    + u[t % 2][i][j - 1][k] + u[t % 2][i][j][k + 1] + u[t % 2][i][j][k - 1])
                + -0.0833 * (u[t % 2][i + 2][j][k] + u[t % 2][i - 2][j][k] + u[t % 2][i][j + 2][k]
                    + u[t % 2][i][j - 2][k] + u[t % 2][i][j][k + 2] + u[t % 2][i][j][k - 2]));
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
