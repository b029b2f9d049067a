// launches 7, copies in 1 (14112 bytes), copies out 2 (25600 bytes)
// A loop over time stays on the host, and what it computes on the device; borders are read and not copied back.
#include <stdio.h>
static double a[42][42], b[42][42];
static void sweep(int n, int steps)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 42; i++)
    for (int j = 0; j < 42; j++)
      a[i][j] = i * 3 + j % 5, b[i][j] = i - j;
  sweep(42, 6);
  for (int i = 0; i < 42; i++)
    for (int j = 0; j < 42; j++)
      printf("%a %a\n", a[i][j], b[i][j]);
  return 0;
}
