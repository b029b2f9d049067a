// two sums along each row; their values are integers, so that no order rounds
#include <stdio.h>

static void rows(int n, int m, double A[n][m], double B[n][m], double x[m], double t[n], double y[n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = 0.0;
    y[i] = 1.0;
    for (int j = 0; j < m; j++) {
      t[i] = A[i][j] * x[j] + t[i];
      y[i] = B[i][j] * x[j] + y[i];
    }
    y[i] = 3.0 * t[i] + 2.0 * y[i];
  }
#pragma endscop
}

static double A[45][77], B[45][77], x[77], t[45], y[45];

int main(void)
{
  for (int i = 0; i < 45; i++)
    for (int j = 0; j < 77; j++) {
      A[i][j] = (i * 5 + j * 3) % 17 - 8;
      B[i][j] = (i + j * j) % 11 - 4;
      x[j] = j % 9 - 3;
    }
  rows(45, 77, A, B, x, t, y);
  for (int i = 0; i < 45; i++)
    printf("%.17g %.17g\n", t[i], y[i]);
  return 0;
}
