/* Averages of three neighbours on a line, from A to B and back. */
#include "kernels.h"

#define SIZE_T PICK(23, 40, 100, 500, 1000)
#define SIZE_N PICK(75, 120, 400, 2000, 4000)
#define T EXTENT(t, SIZE_T)
#define N EXTENT(n, SIZE_N)

static void jacobi(int t, int n, VECTOR(A, N), VECTOR(B, N))
{
  int step, i;
#pragma scop
  for (step = 0; step < T; step++) {
    for (i = 1; i < N - 1; i++)
      B[i] = NUMBER(0.33333) * (A[i - 1] + A[i] + A[i + 1]);
    for (i = 1; i < N - 1; i++)
      A[i] = NUMBER(0.33333) * (B[i - 1] + B[i] + B[i + 1]);
  }
#pragma endscop
}

int main(void)
{
  int t = SIZE_T, n = SIZE_N;
  NEW_VECTOR(A, N);
  NEW_VECTOR(B, N);
  fill(A, N, 1);
  fill(B, N, 2);
  start();
  jacobi(t, n, A, B);
  if (finished())
    print("A", A, N);
  return 0;
}
