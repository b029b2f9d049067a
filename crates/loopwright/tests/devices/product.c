// copies in 3 (19432 bytes), copies out 1 (14560 bytes)
// A perfect nest below a statement of fewer loops; sizes that are no multiples of the strips.
#include <stdio.h>
static void product(int ni, int nj, int nk, double alpha, double beta, double C[ni][nj], double A[ni][nk], double B[nk][nj])
{
#pragma scop
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++) {
      C[i][j] *= beta;
      for (int k = 0; k < nk; k++)
        C[i][j] += alpha * A[i][k] * B[k][j];
    }
#pragma endscop
}
static double A[35][7], B[7][52], C[35][52];
static double D[1][1];
int main(void)
{
  for (int i = 0; i < 35; i++)
    for (int j = 0; j < 52; j++)
      C[i][j] = i * j % 7 / 7.0;
  for (int i = 0; i < 35; i++)
    for (int k = 0; k < 7; k++)
      A[i][k] = (i + k) % 5 / 3.0;
  for (int k = 0; k < 7; k++)
    for (int j = 0; j < 52; j++)
      B[k][j] = (3 * k + j) % 11 / 7.0;
  product(35, 52, 7, 1.5, 1.2, C, A, B);
  for (int i = 0; i < 35; i++)
    for (int j = 0; j < 52; j++)
      printf("%a\n", C[i][j]);
  product(0, 0, 0, 1.5, 1.2, D, D, D);
  return 0;
}
