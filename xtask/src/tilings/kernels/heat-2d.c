/* The heat equation in the plane, in two planes that take turns. */
#include "stencil.h"

#ifndef N
#define N 3000
#endif
#ifndef M
#define M 3000
#endif

static double A[2][N][M];

#ifdef OTHER_KERNEL
#include OTHER_KERNEL
#else
static void kernel(int steps, int n, int m)
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = 0.125 * (A[t % 2][i + 1][j] - 2.0 * A[t % 2][i][j] + A[t % 2][i - 1][j])
            + 0.125 * (A[t % 2][i][j + 1] - 2.0 * A[t % 2][i][j] + A[t % 2][i][j - 1]) + A[t % 2][i][j];
#pragma endscop
}
#endif

static void prepare(void)
{
  fill((double *)A, ELEMENTS(A));
}

static unsigned long long result(void)
{
  unsigned long long all = 14695981039346656037ull;
  all = sum(all, (const double *)A, ELEMENTS(A));
  return all;
}
