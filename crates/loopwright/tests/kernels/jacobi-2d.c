/* Averages of five neighbours in the plane, from A to B and back. */
#include "kernels.h"

#define SIZE_T PICK(9, 40, 100, 500, 1000)
#define SIZE_N PICK(37, 90, 250, 1300, 2800)
#define T EXTENT(t, SIZE_T)
#define N EXTENT(n, SIZE_N)

static void jacobi(int t, int n, MATRIX(A, N, N), MATRIX(B, N, N))
{
#pragma scop
  for (int step = 0; step < T; step++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        B[i][j] =
            NUMBER(0.2) * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        A[i][j] =
            NUMBER(0.2) * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
  }
#pragma endscop
}

int main(void)
{
  int t = SIZE_T, n = SIZE_N;
  NEW_MATRIX(A, N, N);
  NEW_MATRIX(B, N, N);
  fill(A, N * N, 1);
  fill(B, N * N, 2);
  start();
  jacobi(t, n, A, B);
  if (finished())
    print("A", A, N * N);
  return 0;
}
