/* A x = b by A = L U (each entry accumulated in a scalar), L y = b, U x = y. */
#include "kernels.h"

#define SIZE_N PICK(38, 120, 400, 2000, 4000)
#define N EXTENT(n, SIZE_N)

static void solve(int n, MATRIX(A, N, N), VECTOR(b, N), VECTOR(x, N), VECTOR(y, N))
{
  int i, j, k;
  DATA rest;
#pragma scop
  for (i = 0; i < N; i++) {
    for (j = 0; j < i; j++) {
      rest = A[i][j];
      for (k = 0; k < j; k++)
        rest -= A[i][k] * A[k][j];
      A[i][j] = rest / A[j][j];
    }
    for (j = i; j < N; j++) {
      rest = A[i][j];
      for (k = 0; k < i; k++)
        rest -= A[i][k] * A[k][j];
      A[i][j] = rest;
    }
  }
  for (i = 0; i < N; i++) {
    rest = b[i];
    for (j = 0; j < i; j++)
      rest -= A[i][j] * y[j];
    y[i] = rest;
  }
  for (i = N - 1; i >= 0; i--) {
    rest = y[i];
    for (j = i + 1; j < N; j++)
      rest -= A[i][j] * x[j];
    x[i] = rest / A[i][i];
  }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N;
  NEW_MATRIX(A, N, N);
  NEW_VECTOR(b, N);
  NEW_VECTOR(x, N);
  NEW_VECTOR(y, N);
  fill_dominant(A, N);
  fill(b, N, 2);
  zero(x, N);
  zero(y, N);
  start();
  solve(n, A, b, x, y);
  if (finished())
    print("x", x, N);
  return 0;
}
