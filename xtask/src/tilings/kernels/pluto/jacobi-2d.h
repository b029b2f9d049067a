/* Diamonds of jacobi-2d in time and the first dimension, as Pluto makes them by default for concurrent start along one dimension (SC 2012): hyperplanes
   t + i, t - i and t + j with half steps t, the sum of the first two as the loop over diagonals, and the points of a tile with time outermost. */
#include "bounds.h"

static void kernel(int steps, int n, int m)
{
  for (long diagonal = -1; diagonal <= LAST_DIAGONAL(2 * steps); diagonal++) {
#pragma omp parallel for
    for (long first = FIRST_TILE(diagonal); first <= LAST_TILE(diagonal, n); first++) {
      long second = diagonal - first;
      long earliest = FIRST_STEP(first, second), latest = LAST_STEP(first, second, 2 * steps);
      for (long row = floord(earliest + 1, ROW_TILE); row <= floord(latest + m - 2, ROW_TILE); row++)
        for (long t = earliest; t <= latest; t++)
          for (long i = FIRST_POSITION(first, second, t); i <= LAST_POSITION(first, second, t, n); i++) {
            long left = max(1, ROW_TILE * row - t), right = min(m - 2, ROW_TILE * row + ROW_TILE - 1 - t);
            if (t % 2 == 0) {
#pragma GCC ivdep
              for (long j = left; j <= right; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
            } else {
#pragma GCC ivdep
              for (long j = left; j <= right; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
            }
          }
    }
  }
}
