/* x1 += A y1; x2 += A^T y2. */
#include "kernels.h"

#define SIZE_N PICK(42, 120, 400, 2000, 4000)
#define N EXTENT(n, SIZE_N)

static void mvt(int n, VECTOR(x1, N), VECTOR(x2, N), VECTOR(y1, N), VECTOR(y2, N), MATRIX(A, N, N))
{
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      x1[i] = x1[i] + A[i][j] * y1[j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      x2[i] = x2[i] + A[j][i] * y2[j];
#pragma endscop
}

int main(void)
{
  int n = SIZE_N;
  NEW_VECTOR(x1, N);
  NEW_VECTOR(x2, N);
  NEW_VECTOR(y1, N);
  NEW_VECTOR(y2, N);
  NEW_MATRIX(A, N, N);
  fill(x1, N, 1);
  fill(x2, N, 2);
  fill(y1, N, 3);
  fill(y2, N, 4);
  fill(A, N * N, 5);
  start();
  mvt(n, x1, x2, y1, y2, A);
  if (finished()) {
    print("x1", x1, N);
    print("x2", x2, N);
  }
  return 0;
}
