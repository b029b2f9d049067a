// Products of matrices in all ways in which operands lie in memory; sizes that are no multiples of those of matrices, blocks or steps.
#include <stdio.h>
#ifndef VALUE
#define VALUE(x) ((x) % 7 - 3)
#endif
static void product(int n, int m, int o, double alpha, double beta, double C[restrict n][m], double A[restrict n][o], double B[restrict o][m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      C[i][j] *= beta;
      for (int k = 0; k < o; k++)
        C[i][j] += alpha * A[i][k] * B[k][j];
    }
#pragma endscop
}
static void transposed(int n, int m, int o, double C[restrict n][m], double A[restrict o][n], double B[restrict m][o])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 1; k < o; k++)
        C[i][j] -= A[k][i] * B[j][k];
#pragma endscop
}
static void both(int n, int o, double alpha, double C[restrict n][n], double A[restrict n][o], double B[restrict n][o])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < o; k++)
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
#pragma endscop
}
static double A[75][21], B[21][75], C[70][75], D[21][70], E[75][75], G[75][21];
int main(void)
{
  for (int i = 0; i < 75; i++)
    for (int j = 0; j < 75; j++) {
      if (i < 70)
        C[i][j] = VALUE(i * j + 1);
      if (j < 21) {
        A[i][j] = VALUE(2 * i + j);
        G[i][j] = VALUE(i + 2 * j + 3);
      }
      if (i < 21)
        B[i][j] = VALUE(i + 3 * j);
      if (i < 21 && j < 70)
        D[i][j] = VALUE(5 * i + j);
      E[i][j] = VALUE(i + j);
    }
  product(70, 75, 21, 2, 3, C, A, B);
  for (int o = 0; o < 14; o += 3)
    product(5, 75, o, 2, 1, C, A, B);
  transposed(70, 75, 21, C, D, A);
  both(75, 21, 2, E, A, G);
  for (int i = 0; i < 70; i++)
    for (int j = 0; j < 75; j++)
      printf("%a\n", C[i][j]);
  for (int i = 0; i < 75; i++)
    for (int j = 0; j < 75; j++)
      printf("%a\n", E[i][j]);
  return 0;
}
