/* B = alpha A^T B with a lower triangular A that has ones on its diagonal. */
#include "kernels.h"

#define SIZE_M PICK(37, 60, 200, 1000, 2000)
#define SIZE_N PICK(41, 80, 240, 1200, 2600)
#define M EXTENT(m, SIZE_M)
#define N EXTENT(n, SIZE_N)

static void trmm(int m, int n, DATA alpha, MATRIX(A, M, M), MATRIX(B, M, N))
{
  int i, j, k;
#pragma scop
  for (i = 0; i < M; i++)
    for (j = 0; j < N; j++) {
      for (k = i + 1; k < M; k++)
        B[i][j] += A[k][i] * B[k][j];
      B[i][j] = alpha * B[i][j];
    }
#pragma endscop
}

int main(void)
{
  int m = SIZE_M, n = SIZE_N;
  NEW_MATRIX(A, M, M);
  NEW_MATRIX(B, M, N);
  fill_dominant(A, M);
  fill(B, M * N, 2);
  start();
  trmm(m, n, NUMBER(1.5), A, B);
  if (finished())
    print("B", B, M * N);
  return 0;
}
