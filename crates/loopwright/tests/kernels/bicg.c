/* The two products of a step of the biconjugate gradient method: s = A^T r, q = A p. */
#include "kernels.h"

#define SIZE_N PICK(42, 124, 410, 2100, 2200)
#define SIZE_M PICK(38, 116, 390, 1900, 1800)
#define N EXTENT(n, SIZE_N)
#define M EXTENT(m, SIZE_M)

static void bicg(int n, int m, MATRIX(A, N, M), VECTOR(s, M), VECTOR(q, N), VECTOR(p, M),
                 VECTOR(r, N))
{
  int i, j;
#pragma scop
  for (j = 0; j < M; j++)
    s[j] = 0;
  for (i = 0; i < N; i++) {
    q[i] = NUMBER(0.0);
    for (j = 0; j < M; j++) {
      s[j] += r[i] * A[i][j];
      q[i] += A[i][j] * p[j];
    }
  }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N, m = SIZE_M;
  NEW_MATRIX(A, N, M);
  NEW_VECTOR(s, M);
  NEW_VECTOR(q, N);
  NEW_VECTOR(p, M);
  NEW_VECTOR(r, N);
  fill(A, N * M, 1);
  fill(p, M, 2);
  fill(r, N, 3);
  start();
  bicg(n, m, A, s, q, p, r);
  if (finished()) {
    print("s", s, M);
    print("q", q, N);
  }
  return 0;
}
