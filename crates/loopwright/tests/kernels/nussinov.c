/* The largest number of nested base pairs of each part of an RNA strand (Nussinov's folding). */
#define DATA int
#define FORMAT "%d"
#include "kernels.h"

#define SIZE_N PICK(43, 180, 500, 2500, 5500)
#define N EXTENT(n, SIZE_N)

typedef char base;
#define PAIRS(a, b) ((a) + (b) == 3 ? 1 : 0)
#define LARGER(a, b) ((a) >= (b) ? (a) : (b))

static void nussinov(int n, base strand[N], MATRIX(best, N, N))
{
  int i, j, k;
#pragma scop
  for (i = N - 1; i >= 0; i--) {
    for (j = i + 1; j < N; j++) {
      if (j - 1 >= 0)
        best[i][j] = LARGER(best[i][j], best[i][j - 1]);
      if (i + 1 < N)
        best[i][j] = LARGER(best[i][j], best[i + 1][j]);
      if (j - 1 >= 0 && i + 1 < N) {
        /* Neighbours do not pair. */
        if (i < j - 1)
          best[i][j] = LARGER(best[i][j], best[i + 1][j - 1] + PAIRS(strand[i], strand[j]));
        else
          best[i][j] = LARGER(best[i][j], best[i + 1][j - 1]);
      }
      for (k = i + 1; k < j; k++)
        best[i][j] = LARGER(best[i][j], best[i][k] + best[k + 1][j]);
    }
  }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N;
  base strand[N];
  NEW_MATRIX(best, N, N);
  for (int i = 0; i < N; i++)
    strand[i] = (base)(4 * (sample(1, i) - 1));
  zero(best, N * N);
  start();
  nussinov(n, strand, best);
  if (finished())
    print("best", best, N * N);
  return 0;
}
