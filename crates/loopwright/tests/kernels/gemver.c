/* A += u1 v1^T + u2 v2^T; x = beta A^T y + z; w = alpha A x. */
#include "kernels.h"

#define SIZE_N PICK(42, 120, 400, 2000, 4000)
#define N EXTENT(n, SIZE_N)

static void gemver(int n, DATA alpha, DATA beta, MATRIX(A, N, N), VECTOR(u1, N), VECTOR(v1, N),
                   VECTOR(u2, N), VECTOR(v2, N), VECTOR(w, N), VECTOR(x, N), VECTOR(y, N),
                   VECTOR(z, N))
{
  int i, j;
#pragma scop
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      x[i] = x[i] + beta * A[j][i] * y[j];
  for (i = 0; i < N; i++)
    x[i] = x[i] + z[i];
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      w[i] = w[i] + alpha * A[i][j] * x[j];
#pragma endscop
}

int main(void)
{
  int n = SIZE_N;
  NEW_MATRIX(A, N, N);
  NEW_VECTOR(u1, N);
  NEW_VECTOR(v1, N);
  NEW_VECTOR(u2, N);
  NEW_VECTOR(v2, N);
  NEW_VECTOR(w, N);
  NEW_VECTOR(x, N);
  NEW_VECTOR(y, N);
  NEW_VECTOR(z, N);
  fill(A, N * N, 1);
  fill(u1, N, 2);
  fill(v1, N, 3);
  fill(u2, N, 4);
  fill(v2, N, 5);
  zero(w, N);
  zero(x, N);
  fill(y, N, 6);
  fill(z, N, 7);
  start();
  gemver(n, NUMBER(1.5), NUMBER(1.2), A, u1, v1, u2, v2, w, x, y, z);
  if (finished())
    print("w", w, N);
  return 0;
}
