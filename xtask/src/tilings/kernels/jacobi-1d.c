/* Averages of three neighbours on a line, from A to B and back. */
#include "stencil.h"

#ifndef N
#define N 8000000
#endif

static double A[N], B[N];

#ifdef OTHER_KERNEL
#include OTHER_KERNEL
#else
static void kernel(int steps, int n, int m)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < n - 1; i++)
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
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
