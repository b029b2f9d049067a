/* y = alpha A x + beta B x. */
#include "kernels.h"

#define SIZE_N PICK(39, 90, 250, 1300, 2800)
#define N EXTENT(n, SIZE_N)

static void gesummv(int n, DATA alpha, DATA beta, MATRIX(A, N, N), MATRIX(B, N, N), VECTOR(Ax, N),
                    VECTOR(x, N), VECTOR(y, N))
{
#pragma scop
  for (int i = 0; i < N; i++) {
    Ax[i] = NUMBER(0.0);
    y[i] = NUMBER(0.0);
    for (int j = 0; j < N; j++) {
      Ax[i] = A[i][j] * x[j] + Ax[i];
      y[i] = B[i][j] * x[j] + y[i];
    }
    y[i] = alpha * Ax[i] + beta * y[i];
  }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N;
  NEW_MATRIX(A, N, N);
  NEW_MATRIX(B, N, N);
  NEW_VECTOR(Ax, N);
  NEW_VECTOR(x, N);
  NEW_VECTOR(y, N);
  fill(A, N * N, 1);
  fill(B, N * N, 2);
  fill(x, N, 3);
  start();
  gesummv(n, NUMBER(1.5), NUMBER(1.2), A, B, Ax, x, y);
  if (finished())
    print("y", y, N);
  return 0;
}
