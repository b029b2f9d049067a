// launches 1, copies in 2 (
// A product of matrices whose rows lie in linear arrays: its results are in registers, its operands in shared memory.
#include <stdio.h>
#include <stdlib.h>
static void product(int n, int m, int l, double *restrict C, const double *restrict A, const double *restrict B)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      C[i * m + j] = 0;
      for (int k = 0; k < l; k++)
        C[i * m + j] += A[i * l + k] * B[k * m + j];
    }
#pragma endscop
}
int main(void)
{
  int n = 70, m = 83, l = 37;
  double *A = malloc(n * l * sizeof *A), *B = malloc(l * m * sizeof *B), *C = malloc(n * m * sizeof *C);
  for (int i = 0; i < n * l; i++)
    A[i] = i % 7 / 3.0;
  for (int i = 0; i < l * m; i++)
    B[i] = i % 5 * 0.7;
  product(n, m, l, C, A, B);
  for (int i = 0; i < n * m; i++)
    printf("%a\n", C[i]);
  return 0;
}
