/* Diamonds of heat-3d in time and the first dimension, as Pluto makes them by default for concurrent start along one dimension (SC 2012): hyperplanes
   t + i, t - i, t + j and t + k with half steps t, the sum of the first two as the loop over diagonals, and the points of a tile with time outermost. */
#include "bounds.h"

#define HEAT(X) \
  (0.125 * (X[i + 1][j][k] - 2.0 * X[i][j][k] + X[i - 1][j][k]) + 0.125 * (X[i][j + 1][k] - 2.0 * X[i][j][k] + X[i][j - 1][k]) \
   + 0.125 * (X[i][j][k + 1] - 2.0 * X[i][j][k] + X[i][j][k - 1]) + X[i][j][k])

static void kernel(int steps, int n, int m)
{
  for (long diagonal = -1; diagonal <= LAST_DIAGONAL(2 * steps); diagonal++) {
#pragma omp parallel for
    for (long first = FIRST_TILE(diagonal); first <= LAST_TILE(diagonal, n); first++) {
      long second = diagonal - first;
      long earliest = FIRST_STEP(first, second), latest = LAST_STEP(first, second, 2 * steps);
      for (long plane = floord(earliest + 1, INNER_TILE); plane <= floord(latest + m - 2, INNER_TILE); plane++)
        for (long row = floord(earliest + 1, ROW_TILE); row <= floord(latest + m - 2, ROW_TILE); row++)
          for (long t = earliest; t <= latest; t++)
            for (long i = FIRST_POSITION(first, second, t); i <= LAST_POSITION(first, second, t, n); i++)
              for (long j = max(1, INNER_TILE * plane - t); j <= min(m - 2, INNER_TILE * plane + INNER_TILE - 1 - t); j++) {
                long left = max(1, ROW_TILE * row - t), right = min(m - 2, ROW_TILE * row + ROW_TILE - 1 - t);
                if (t % 2 == 0) {
#pragma GCC ivdep
                  for (long k = left; k <= right; k++)
                    B[i][j][k] = HEAT(A);
                } else {
#pragma GCC ivdep
                  for (long k = left; k <= right; k++)
                    A[i][j][k] = HEAT(B);
                }
              }
    }
  }
}
