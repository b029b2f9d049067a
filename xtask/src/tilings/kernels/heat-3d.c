/* The heat equation in space, from A to B and back. */
#include "stencil.h"

#ifndef N
#define N 200
#endif
#ifndef M
#define M 200
#endif

static double A[N][M][M], B[N][M][M];

#ifdef OTHER_KERNEL
#include OTHER_KERNEL
#else
static void kernel(int steps, int n, int m)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < m - 1; k++)
          B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k])
              + 0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k])
              + 0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < m - 1; k++)
          A[i][j][k] = 0.125 * (B[i + 1][j][k] - 2.0 * B[i][j][k] + B[i - 1][j][k])
              + 0.125 * (B[i][j + 1][k] - 2.0 * B[i][j][k] + B[i][j - 1][k])
              + 0.125 * (B[i][j][k + 1] - 2.0 * B[i][j][k] + B[i][j][k - 1]) + B[i][j][k];
  }
#pragma endscop
}
#endif

static void prepare(void)
{
  fill((double *)A, ELEMENTS(A));
  fill((double *)B, ELEMENTS(B));
}

static unsigned long long result(void)
{
  unsigned long long all = 14695981039346656037ull;
  all = sum(all, (const double *)A, ELEMENTS(A));
  all = sum(all, (const double *)B, ELEMENTS(B));
  return all;
}
