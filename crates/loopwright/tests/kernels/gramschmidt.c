/* A = Q R by the modified Gram-Schmidt process; A is destroyed. */
#include "kernels.h"

#define SIZE_M PICK(36, 60, 200, 1000, 2000)
#define SIZE_N PICK(34, 80, 240, 1200, 2600)
#define M EXTENT(m, SIZE_M)
#define N EXTENT(n, SIZE_N)

static void gramschmidt(int m, int n, MATRIX(A, M, N), MATRIX(R, N, N), MATRIX(Q, M, N))
{
  int i, j, k;
  DATA square;
#pragma scop
  for (k = 0; k < N; k++) {
    square = NUMBER(0.0);
    for (i = 0; i < M; i++)
      square += A[i][k] * A[i][k];
    R[k][k] = ROOT(square);
    for (i = 0; i < M; i++)
      Q[i][k] = A[i][k] / R[k][k];
    for (j = k + 1; j < N; j++) {
      R[k][j] = NUMBER(0.0);
      for (i = 0; i < M; i++)
        R[k][j] += Q[i][k] * A[i][j];
      for (i = 0; i < M; i++)
        A[i][j] = A[i][j] - Q[i][k] * R[k][j];
    }
  }
#pragma endscop
}

int main(void)
{
  int m = SIZE_M, n = SIZE_N;
  NEW_MATRIX(A, M, N);
  NEW_MATRIX(R, N, N);
  NEW_MATRIX(Q, M, N);
  fill(A, M * N, 1);
  zero(R, N * N);
  zero(Q, M * N);
  start();
  gramschmidt(m, n, A, R, Q);
  if (finished()) {
    print("R", R, N * N);
    print("Q", Q, M * N);
  }
  return 0;
}
