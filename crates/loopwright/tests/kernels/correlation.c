/* The correlation matrix of m quantities, each observed n times. */
#include "kernels.h"

#define SIZE_M PICK(34, 80, 240, 1200, 2600)
#define SIZE_N PICK(39, 100, 260, 1400, 3000)
#define M EXTENT(m, SIZE_M)
#define N EXTENT(n, SIZE_N)

static void correlation(int m, int n, DATA count, MATRIX(X, N, M), MATRIX(R, M, M),
                        VECTOR(mean, M), VECTOR(spread, M))
{
  int i, j, k;
  DATA tiny = NUMBER(0.1);
#pragma scop
  for (j = 0; j < M; j++) {
    mean[j] = NUMBER(0.0);
    for (i = 0; i < N; i++)
      mean[j] += X[i][j];
    mean[j] /= count;
  }
  for (j = 0; j < M; j++) {
    spread[j] = NUMBER(0.0);
    for (i = 0; i < N; i++)
      spread[j] += (X[i][j] - mean[j]) * (X[i][j] - mean[j]);
    spread[j] /= count;
    spread[j] = ROOT(spread[j]);
    /* Constant quantities are not scaled. */
    spread[j] = spread[j] <= tiny ? NUMBER(1.0) : spread[j];
  }
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) {
      X[i][j] -= mean[j];
      X[i][j] /= ROOT(count) * spread[j];
    }
  for (i = 0; i < M - 1; i++) {
    R[i][i] = NUMBER(1.0);
    for (j = i + 1; j < M; j++) {
      R[i][j] = NUMBER(0.0);
      for (k = 0; k < N; k++)
        R[i][j] += X[k][i] * X[k][j];
      R[j][i] = R[i][j];
    }
  }
  R[M - 1][M - 1] = NUMBER(1.0);
#pragma endscop
}

int main(void)
{
  int m = SIZE_M, n = SIZE_N;
  NEW_MATRIX(X, N, M);
  NEW_MATRIX(R, M, M);
  NEW_VECTOR(mean, M);
  NEW_VECTOR(spread, M);
  fill(X, N * M, 1);
  start();
  correlation(m, n, (DATA)N, X, R, mean, spread);
  if (finished())
    print("R", R, M * M);
  return 0;
}
