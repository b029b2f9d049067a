/* The covariance matrix of m quantities, each observed n times. */
#include "kernels.h"

#define SIZE_M PICK(35, 80, 240, 1200, 2600)
#define SIZE_N PICK(38, 100, 260, 1400, 3000)
#define M EXTENT(m, SIZE_M)
#define N EXTENT(n, SIZE_N)

static void covariance(int m, int n, DATA count, MATRIX(X, N, M), MATRIX(C, M, M), VECTOR(mean, M))
{
#pragma scop
  for (int j = 0; j < M; j++) {
    mean[j] = NUMBER(0.0);
    for (int i = 0; i < N; i++)
      mean[j] += X[i][j];
    mean[j] /= count;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      X[i][j] -= mean[j];
  for (int i = 0; i < M; i++)
    for (int j = i; j < M; j++) {
      C[i][j] = NUMBER(0.0);
      for (int k = 0; k < N; k++)
        C[i][j] += X[k][i] * X[k][j];
      C[i][j] /= (count - NUMBER(1.0));
      C[j][i] = C[i][j];
    }
#pragma endscop
}

int main(void)
{
  int m = SIZE_M, n = SIZE_N;
  NEW_MATRIX(X, N, M);
  NEW_MATRIX(C, M, M);
  NEW_VECTOR(mean, M);
  fill(X, N * M, 1);
  start();
  covariance(m, n, (DATA)N, X, C, mean);
  if (finished())
    print("C", C, M * M);
  return 0;
}
