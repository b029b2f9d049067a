/* Matrix product: C = alpha * A * B + beta * C.
 *
 *   cargo run --release -- compile examples/gemm.c -o gemm.opt.c
 *   cc -O3 -march=native -fopenmp gemm.opt.c -o gemm && ./gemm
 */
#include <stdio.h>
#include <stdlib.h>

#define N 1200

static double A[N][N], B[N][N], C[N][N];

static void gemm(int n, double alpha, double beta)
{
  int i, j, k;
#pragma scop
  for (i = 0; i < n; i++) {
    for (j = 0; j < n; j++) {
      C[i][j] *= beta;
      for (k = 0; k < n; k++)
        C[i][j] += alpha * A[i][k] * B[k][j];
    }
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : N;
  if (n < 1 || n > N)
    n = N;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i][j] = (double)((i * j + 1) % n) / n;
      B[i][j] = (double)(i * (j + 1) % n) / n;
      C[i][j] = (double)(i * (j + 2) % n) / n;
    }
  gemm(n, 1.5, 1.2);
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += C[i][j];
  printf("%.17g\n", sum);
  return 0;
}
