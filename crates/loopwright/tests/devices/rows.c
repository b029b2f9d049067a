// launches 3, copies in 6 (45920 bytes), copies out 2 (1208 bytes)
// Each result is a sum along a row: threads that follow each other would read elements that lie apart.
#include <stdio.h>
static void rows(int n, int m, double y[n], double A[n][m], double x[m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      y[i] += A[i][k] * x[k];
#pragma endscop
}
static double A[150][37], x[37], y[150];
int main(void)
{
  for (int i = 0; i < 150; i++) {
    y[i] = i % 4 / 3.0;
    for (int k = 0; k < 37; k++)
      A[i][k] = (i + 2 * k) % 13 / 7.0;
  }
  for (int k = 0; k < 37; k++)
    x[k] = k % 5 / 9.0;
  rows(150, 37, y, A, x);
  for (int i = 0; i < 150; i++)
    printf("%a\n", y[i]);
  rows(0, 0, y, A, x);
  rows(1, 1, y, A, x);
  printf("%a\n", y[0]);
  return 0;
}
