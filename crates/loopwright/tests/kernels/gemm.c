/* C = alpha A B + beta C. */
#include "kernels.h"

#define SIZE_N PICK(35, 60, 200, 1000, 2000)
#define SIZE_M PICK(40, 70, 220, 1100, 2300)
#define SIZE_L PICK(45, 80, 240, 1200, 2600)
#define N EXTENT(n, SIZE_N)
#define M EXTENT(m, SIZE_M)
#define L EXTENT(l, SIZE_L)

static void gemm(int n, int m, int l, DATA alpha, DATA beta, MATRIX(C, N, M), MATRIX(A, N, L),
                 MATRIX(B, L, M))
{
  int i, j, k;
#pragma scop
  for (i = 0; i < N; i++) {
    for (j = 0; j < M; j++)
      C[i][j] *= beta;
    for (k = 0; k < L; k++)
      for (j = 0; j < M; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N, m = SIZE_M, l = SIZE_L;
  NEW_MATRIX(C, N, M);
  NEW_MATRIX(A, N, L);
  NEW_MATRIX(B, L, M);
  fill(C, N * M, 1);
  fill(A, N * L, 2);
  fill(B, L * M, 3);
  start();
  gemm(n, m, l, NUMBER(1.5), NUMBER(1.2), C, A, B);
  if (finished())
    print("C", C, N * M);
  return 0;
}
