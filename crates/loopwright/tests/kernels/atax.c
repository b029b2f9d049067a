/* y = A^T (A x). */
#include "kernels.h"

#define SIZE_N PICK(38, 116, 390, 1900, 1800)
#define SIZE_M PICK(43, 124, 410, 2100, 2200)
#define N EXTENT(n, SIZE_N)
#define M EXTENT(m, SIZE_M)

static void atax(int n, int m, MATRIX(A, N, M), VECTOR(x, M), VECTOR(y, M), VECTOR(Ax, N))
{
#pragma scop
  for (int j = 0; j < M; j++)
    y[j] = 0;
  for (int i = 0; i < N; i++) {
    Ax[i] = NUMBER(0.0);
    for (int j = 0; j < M; j++)
      Ax[i] += A[i][j] * x[j];
    for (int j = 0; j < M; j++)
      y[j] += A[i][j] * Ax[i];
  }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N, m = SIZE_M;
  NEW_MATRIX(A, N, M);
  NEW_VECTOR(x, M);
  NEW_VECTOR(y, M);
  NEW_VECTOR(Ax, N);
  fill(A, N * M, 1);
  fill(x, M, 2);
  start();
  atax(n, m, A, x, y, Ax);
  if (finished())
    print("y", y, M);
  return 0;
}
