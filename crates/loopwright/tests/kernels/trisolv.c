/* L x = b with a lower triangular L. */
#include "kernels.h"

#define SIZE_N PICK(43, 120, 400, 2000, 4000)
#define N EXTENT(n, SIZE_N)

static void trisolv(int n, MATRIX(L, N, N), VECTOR(x, N), VECTOR(b, N))
{
  int i, j;
#pragma scop
  for (i = 0; i < N; i++) {
    x[i] = b[i];
    for (j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N;
  NEW_MATRIX(L, N, N);
  NEW_VECTOR(x, N);
  NEW_VECTOR(b, N);
  fill_dominant(L, N);
  fill(b, N, 2);
  start();
  trisolv(n, L, x, b);
  if (finished())
    print("x", x, N);
  return 0;
}
