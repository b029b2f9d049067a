/* D = alpha A B C + beta D. */
#include "kernels.h"

#define SIZE_N PICK(33, 40, 180, 800, 1600)
#define SIZE_M PICK(36, 50, 190, 900, 1800)
#define SIZE_L PICK(39, 70, 210, 1100, 2200)
#define SIZE_K PICK(42, 80, 220, 1200, 2400)
#define N EXTENT(n, SIZE_N)
#define M EXTENT(m, SIZE_M)
#define L EXTENT(l, SIZE_L)
#define K EXTENT(k, SIZE_K)

static void two_products(int n, int m, int l, int k, DATA alpha, DATA beta, MATRIX(T, N, M),
                         MATRIX(A, N, L), MATRIX(B, L, M), MATRIX(C, M, K), MATRIX(D, N, K))
{
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      T[i][j] = NUMBER(0.0);
      for (int s = 0; s < L; ++s)
        T[i][j] += alpha * A[i][s] * B[s][j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < K; j++) {
      D[i][j] *= beta;
      for (int s = 0; s < M; ++s)
        D[i][j] += T[i][s] * C[s][j];
    }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N, m = SIZE_M, l = SIZE_L, k = SIZE_K;
  NEW_MATRIX(T, N, M);
  NEW_MATRIX(A, N, L);
  NEW_MATRIX(B, L, M);
  NEW_MATRIX(C, M, K);
  NEW_MATRIX(D, N, K);
  zero(T, N * M);
  fill(A, N * L, 1);
  fill(B, L * M, 2);
  fill(C, M * K, 3);
  fill(D, N * K, 4);
  start();
  two_products(n, m, l, k, NUMBER(1.5), NUMBER(1.2), T, A, B, C, D);
  if (finished())
    print("D", D, N * K);
  return 0;
}
