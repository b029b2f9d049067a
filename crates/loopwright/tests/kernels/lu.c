/* A = L U in place, without pivots; L has ones on its diagonal. */
#include "kernels.h"

#define SIZE_N PICK(41, 120, 400, 2000, 4000)
#define N EXTENT(n, SIZE_N)

static void lu(int n, MATRIX(A, N, N))
{
  int i, j, k;
#pragma scop
  for (i = 0; i < N; i++) {
    for (j = 0; j < i; j++) {
      for (k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (j = i; j < N; j++)
      for (k = 0; k < i; k++)
        A[i][j] -= A[i][k] * A[k][j];
  }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N;
  NEW_MATRIX(A, N, N);
  fill_dominant(A, N);
  start();
  lu(n, A);
  if (finished())
    print("A", A, N * N);
  return 0;
}
