/* Maxwell's equations in the plane by finite differences in time and space. */
#include "kernels.h"

#define SIZE_T PICK(7, 40, 100, 500, 1000)
#define SIZE_N PICK(35, 60, 200, 1000, 2000)
#define SIZE_M PICK(38, 80, 240, 1200, 2600)
#define T EXTENT(t, SIZE_T)
#define N EXTENT(n, SIZE_N)
#define M EXTENT(m, SIZE_M)

static void fdtd(int t, int n, int m, MATRIX(ex, N, M), MATRIX(ey, N, M), MATRIX(hz, N, M),
                 VECTOR(border, T))
{
  int step, i, j;
#pragma scop
  for (step = 0; step < T; step++) {
    for (j = 0; j < M; j++)
      ey[0][j] = border[step];
    for (i = 1; i < N; i++)
      for (j = 0; j < M; j++)
        ey[i][j] = ey[i][j] - NUMBER(0.5) * (hz[i][j] - hz[i - 1][j]);
    for (i = 0; i < N; i++)
      for (j = 1; j < M; j++)
        ex[i][j] = ex[i][j] - NUMBER(0.5) * (hz[i][j] - hz[i][j - 1]);
    for (i = 0; i < N - 1; i++)
      for (j = 0; j < M - 1; j++)
        hz[i][j] = hz[i][j] - NUMBER(0.7) * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
#pragma endscop
}

int main(void)
{
  int t = SIZE_T, n = SIZE_N, m = SIZE_M;
  NEW_MATRIX(ex, N, M);
  NEW_MATRIX(ey, N, M);
  NEW_MATRIX(hz, N, M);
  NEW_VECTOR(border, T);
  fill(ex, N * M, 1);
  fill(ey, N * M, 2);
  fill(hz, N * M, 3);
  fill(border, T, 4);
  start();
  fdtd(t, n, m, ex, ey, hz, border);
  if (finished()) {
    print("ex", ex, N * M);
    print("ey", ey, N * M);
    print("hz", hz, N * M);
  }
  return 0;
}
