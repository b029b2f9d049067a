/* Diamonds of jacobi-1d as Pluto's authors publish them (SC 2012): hyperplanes t + i and t - i with the half step t = 2 * step (B) or 2 * step + 1 (A), the
   sum of both as the loop over diagonals, all tiles of one in parallel, and the points of a tile with time outermost. */
#include "bounds.h"

static void kernel(int steps, int n, int m)
{
  for (long diagonal = -1; diagonal <= LAST_DIAGONAL(2 * steps); diagonal++) {
#pragma omp parallel for
    for (long first = FIRST_TILE(diagonal); first <= LAST_TILE(diagonal, n); first++) {
      long second = diagonal - first;
      for (long t = FIRST_STEP(first, second); t <= LAST_STEP(first, second, 2 * steps); t++) {
        long lower = FIRST_POSITION(first, second, t), upper = LAST_POSITION(first, second, t, n);
        if (t % 2 == 0) {
#pragma GCC ivdep
          for (long i = lower; i <= upper; i++)
            B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        } else {
#pragma GCC ivdep
          for (long i = lower; i <= upper; i++)
            A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
        }
      }
    }
  }
}
