/* G = (A B) (C D). */
#include "kernels.h"

#define SIZE_N PICK(33, 40, 180, 800, 1600)
#define SIZE_M PICK(34, 50, 190, 900, 1800)
#define SIZE_L PICK(36, 60, 200, 1000, 2000)
#define SIZE_K PICK(37, 70, 210, 1100, 2200)
#define SIZE_H PICK(40, 80, 220, 1200, 2400)
#define N EXTENT(n, SIZE_N)
#define M EXTENT(m, SIZE_M)
#define L EXTENT(l, SIZE_L)
#define K EXTENT(k, SIZE_K)
#define H EXTENT(h, SIZE_H)

static void three_products(int n, int m, int l, int k, int h, MATRIX(A, N, L), MATRIX(B, L, M),
                           MATRIX(C, M, H), MATRIX(D, H, K), MATRIX(E, N, M), MATRIX(F, M, K),
                           MATRIX(G, N, K))
{
  int i, j, s;
#pragma scop
  /* E = A B */
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) {
      E[i][j] = NUMBER(0.0);
      for (s = 0; s < L; s++)
        E[i][j] += A[i][s] * B[s][j];
    }
  /* F = C D */
  for (i = 0; i < M; i++)
    for (j = 0; j < K; j++) {
      F[i][j] = NUMBER(0.0);
      for (s = 0; s < H; s++)
        F[i][j] += C[i][s] * D[s][j];
    }
  /* G = E F */
  for (i = 0; i < N; i++)
    for (j = 0; j < K; j++) {
      G[i][j] = NUMBER(0.0);
      for (s = 0; s < M; s++)
        G[i][j] += E[i][s] * F[s][j];
    }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N, m = SIZE_M, l = SIZE_L, k = SIZE_K, h = SIZE_H;
  NEW_MATRIX(A, N, L);
  NEW_MATRIX(B, L, M);
  NEW_MATRIX(C, M, H);
  NEW_MATRIX(D, H, K);
  NEW_MATRIX(E, N, M);
  NEW_MATRIX(F, M, K);
  NEW_MATRIX(G, N, K);
  fill(A, N * L, 1);
  fill(B, L * M, 2);
  fill(C, M * H, 3);
  fill(D, H * K, 4);
  start();
  three_products(n, m, l, k, h, A, B, C, D, E, F, G);
  if (finished())
    print("G", G, N * K);
  return 0;
}
