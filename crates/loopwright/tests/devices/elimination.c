// launches 2, copies in 6 (32432 bytes), copies out 4 (31696 bytes)
// Elements that a kernel reads and no instance of it writes, of an array that it writes; elements that innermost loops use again.
#include <stdio.h>
static void elimination(int n, double s[1], double A[n][n], double B[n][n])
{
#pragma scop
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      A[i][k] /= A[k][k];
      for (int j = k + 1; j < n; j++)
        A[i][j] -= A[i][k] * A[k][j];
    }
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < i; k++)
        B[k][j] += A[i][k] * B[i][j];
  for (int i = 0; i < n; i++)
    s[0] += A[i][i] * B[i][i];
#pragma endscop
}
static double s[1], A[45][45], B[45][45];
int main(void)
{
  for (int i = 0; i < 45; i++)
    for (int j = 0; j < 45; j++) {
      A[i][j] = (i * j % 7 + 1) / 7.0 + (i == j ? 40.0 : 0.0);
      B[i][j] = (3 * i + j) % 11 / 7.0;
    }
  elimination(45, s, A, B);
  for (int i = 0; i < 45; i++)
    for (int j = 0; j < 45; j++)
      printf("%a %a\n", A[i][j], B[i][j]);
  printf("%a\n", s[0]);
  elimination(1, s, A, B);
  return 0;
}
