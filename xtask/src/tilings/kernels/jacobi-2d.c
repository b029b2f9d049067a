/* Averages of five neighbours in the plane, from A to B and back. */
#include "stencil.h"

#ifndef N
#define N 3000
#endif
#ifndef M
#define M 3000
#endif

static double A[N][M], B[N][M];

#ifdef OTHER_KERNEL
#include OTHER_KERNEL
#else
static void kernel(int steps, int n, int m)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
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
