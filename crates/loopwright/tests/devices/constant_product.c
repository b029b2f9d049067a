// launches 1, copies in 3 (
// A product of matrices of constant sizes: its loops are generated in pieces, which share tiles.
#include <stdio.h>
enum { N = 35, M = 40, L = 45 };
static double A[N][L], B[L][M], C[N][M];
static void product(double alpha, double beta)
{
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      C[i][j] *= beta;
      for (int k = 0; k < L; k++)
        C[i][j] += alpha * A[i][k] * B[k][j];
    }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < N; i++)
    for (int k = 0; k < L; k++)
      A[i][k] = (i + 3 * k) % 7 / 3.0;
  for (int k = 0; k < L; k++)
    for (int j = 0; j < M; j++)
      B[k][j] = (k + j) % 5 * 0.7;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      C[i][j] = i - j;
  product(1.5, 0.3);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      printf("%a\n", C[i][j]);
  return 0;
}
