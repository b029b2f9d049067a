/* Heat flow in space: explicit steps from A to B and back. */
#include "kernels.h"

#define SIZE_T PICK(3, 40, 100, 500, 1000)
#define SIZE_N PICK(21, 20, 40, 120, 200)
#define T EXTENT(t, SIZE_T)
#define N EXTENT(n, SIZE_N)

static void heat(int t, int n, CUBE(A, N, N, N), CUBE(B, N, N, N))
{
  int step, i, j, k;
#pragma scop
  for (step = 1; step <= T; step++) {
    for (i = 1; i < N - 1; i++)
      for (j = 1; j < N - 1; j++)
        for (k = 1; k < N - 1; k++)
          B[i][j][k] =
              NUMBER(0.125) * (A[i + 1][j][k] - NUMBER(2.0) * A[i][j][k] + A[i - 1][j][k]) +
              NUMBER(0.125) * (A[i][j + 1][k] - NUMBER(2.0) * A[i][j][k] + A[i][j - 1][k]) +
              NUMBER(0.125) * (A[i][j][k + 1] - NUMBER(2.0) * A[i][j][k] + A[i][j][k - 1]) +
              A[i][j][k];
    for (i = 1; i < N - 1; i++)
      for (j = 1; j < N - 1; j++)
        for (k = 1; k < N - 1; k++)
          A[i][j][k] =
              NUMBER(0.125) * (B[i + 1][j][k] - NUMBER(2.0) * B[i][j][k] + B[i - 1][j][k]) +
              NUMBER(0.125) * (B[i][j + 1][k] - NUMBER(2.0) * B[i][j][k] + B[i][j - 1][k]) +
              NUMBER(0.125) * (B[i][j][k + 1] - NUMBER(2.0) * B[i][j][k] + B[i][j][k - 1]) +
              B[i][j][k];
  }
#pragma endscop
}

int main(void)
{
  int t = SIZE_T, n = SIZE_N;
  NEW_CUBE(A, N, N, N);
  NEW_CUBE(B, N, N, N);
  fill(A, N * N * N, 1);
  fill(B, N * N * N, 1);
  start();
  heat(t, n, A, B);
  if (finished())
    print("A", A, N * N * N);
  return 0;
}
