/* The lower triangle of C = alpha A A^T + beta C. */
#include "kernels.h"

#define SIZE_M PICK(34, 60, 200, 1000, 2000)
#define SIZE_N PICK(40, 80, 240, 1200, 2600)
#define M EXTENT(m, SIZE_M)
#define N EXTENT(n, SIZE_N)

static void syrk(int n, int m, DATA alpha, DATA beta, MATRIX(C, N, N), MATRIX(A, N, M))
{
#pragma scop
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < M; k++) {
      for (int j = 0; j <= i; j++)
        C[i][j] += alpha * A[i][k] * A[j][k];
    }
  }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N, m = SIZE_M;
  NEW_MATRIX(C, N, N);
  NEW_MATRIX(A, N, M);
  fill(C, N * N, 1);
  fill(A, N * M, 2);
  start();
  syrk(n, m, NUMBER(1.5), NUMBER(1.2), C, A);
  if (finished())
    print("C", C, N * N);
  return 0;
}
