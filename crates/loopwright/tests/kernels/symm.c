/* C = alpha A B + beta C with a symmetric A of which only the lower triangle is read. */
#include "kernels.h"

#define SIZE_M PICK(36, 60, 200, 1000, 2000)
#define SIZE_N PICK(41, 80, 240, 1200, 2600)
#define M EXTENT(m, SIZE_M)
#define N EXTENT(n, SIZE_N)

static void symm(int m, int n, DATA alpha, DATA beta, MATRIX(C, M, N), MATRIX(A, M, M),
                 MATRIX(B, M, N))
{
  int i, j, k;
  DATA above;
#pragma scop
  for (i = 0; i < M; i++)
    for (j = 0; j < N; j++) {
      above = 0;
      for (k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        above += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * above;
    }
#pragma endscop
}

int main(void)
{
  int m = SIZE_M, n = SIZE_N;
  NEW_MATRIX(C, M, N);
  NEW_MATRIX(A, M, M);
  NEW_MATRIX(B, M, N);
  fill(C, M * N, 1);
  fill(A, M * M, 2);
  fill(B, M * N, 3);
  start();
  symm(m, n, NUMBER(1.5), NUMBER(1.2), C, A, B);
  if (finished())
    print("C", C, M * N);
  return 0;
}
