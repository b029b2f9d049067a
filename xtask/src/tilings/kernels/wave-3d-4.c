/* The wave equation in space with two levels of time, of radius 4. */
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
    for (int i = 4; i < n - 4; i++)
      for (int j = 4; j < m - 4; j++)
        for (int k = 4; k < m - 4; k++)
          u[(t + 1) % 2][i][j][k] = 2.0 * u[t % 2][i][j][k] - u[(t + 1) % 2][i][j][k]
              + 0.1 * (-8.5417 * u[t % 2][i][j][k]
                + 1.6 * (u[t % 2][i + 1][j][k] + u[t % 2][i - 1][j][k] + u[t % 2][i][j + 1][k]
                    + u[t % 2][i][j - 1][k] + u[t % 2][i][j][k + 1] + u[t % 2][i][j][k - 1])
                + -0.2 * (u[t % 2][i + 2][j][k] + u[t % 2][i - 2][j][k] + u[t % 2][i][j + 2][k]
                    + u[t % 2][i][j - 2][k] + u[t % 2][i][j][k + 2] + u[t % 2][i][j][k - 2])
                + 0.0254 * (u[t % 2][i + 3][j][k] + u[t % 2][i - 3][j][k] + u[t % 2][i][j + 3][k]
                    + u[t % 2][i][j - 3][k] + u[t % 2][i][j][k + 3] + u[t % 2][i][j][k - 3])
                + -0.0018 * (u[t % 2][i + 4][j][k] + u[t % 2][i - 4][j][k] + u[t % 2][i][j + 4][k]
                    + u[t % 2][i][j - 4][k] + u[t % 2][i][j][k + 4] + u[t % 2][i][j][k - 4]));
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
