/* Diamonds of heat-2d in time and the first dimension, as Pluto makes them by default for concurrent start along one dimension (SC 2012): hyperplanes
   t + i, t - i and t + j, the sum of the first two as the loop over diagonals, and the points of a tile with time outermost. */
#include "bounds.h"

static void kernel(int steps, int n, int m)
{
  for (long diagonal = -1; diagonal <= LAST_DIAGONAL(steps); diagonal++) {
#pragma omp parallel for
    for (long first = FIRST_TILE(diagonal); first <= LAST_TILE(diagonal, n); first++) {
      long second = diagonal - first;
      long earliest = FIRST_STEP(first, second), latest = LAST_STEP(first, second, steps);
      for (long row = floord(earliest + 1, ROW_TILE); row <= floord(latest + m - 2, ROW_TILE); row++)
        for (long t = earliest; t <= latest; t++)
          for (long i = FIRST_POSITION(first, second, t); i <= LAST_POSITION(first, second, t, n); i++) {
            long left = max(1, ROW_TILE * row - t), right = min(m - 2, ROW_TILE * row + ROW_TILE - 1 - t);
#pragma GCC ivdep
            for (long j = left; j <= right; j++)
              A[(t + 1) % 2][i][j] = 0.125 * (A[t % 2][i + 1][j] - 2.0 * A[t % 2][i][j] + A[t % 2][i - 1][j])
                  + 0.125 * (A[t % 2][i][j + 1] - 2.0 * A[t % 2][i][j] + A[t % 2][i][j - 1]) + A[t % 2][i][j];
          }
    }
  }
}
