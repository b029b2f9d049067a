/* The lower triangle of C = alpha (A B^T + B A^T) + beta C. */
#include "kernels.h"

#define SIZE_M PICK(36, 60, 200, 1000, 2000)
#define SIZE_N PICK(39, 80, 240, 1200, 2600)
#define M EXTENT(m, SIZE_M)
#define N EXTENT(n, SIZE_N)

static void syr2k(int n, int m, DATA alpha, DATA beta, MATRIX(C, N, N), MATRIX(A, N, M),
                  MATRIX(B, N, M))
{
  int i, j, k;
#pragma scop
  for (i = 0; i < N; i++) {
    for (j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (k = 0; k < M; k++)
      for (j = 0; j <= i; j++)
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N, m = SIZE_M;
  NEW_MATRIX(C, N, N);
  NEW_MATRIX(A, N, M);
  NEW_MATRIX(B, N, M);
  fill(C, N * N, 1);
  fill(A, N * M, 2);
  fill(B, N * M, 3);
  start();
  syr2k(n, m, NUMBER(1.5), NUMBER(1.2), C, A, B);
  if (finished())
    print("C", C, N * N);
  return 0;
}
