/* Averages of nine neighbours in the plane, in place. */
#include "kernels.h"

#define SIZE_T PICK(9, 40, 100, 500, 1000)
#define SIZE_N PICK(39, 120, 400, 2000, 4000)
#define T EXTENT(t, SIZE_T)
#define N EXTENT(n, SIZE_N)

static void seidel(int t, int n, MATRIX(A, N, N))
{
  int step, i, j;
#pragma scop
  for (step = 0; step <= T - 1; step++)
    for (i = 1; i <= N - 2; i++)
      for (j = 1; j <= N - 2; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] +
                   A[i][j + 1] + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                  NUMBER(9.0);
#pragma endscop
}

int main(void)
{
  int t = SIZE_T, n = SIZE_N;
  NEW_MATRIX(A, N, N);
  fill(A, N * N, 1);
  start();
  seidel(t, n, A);
  if (finished())
    print("A", A, N * N);
  return 0;
}
