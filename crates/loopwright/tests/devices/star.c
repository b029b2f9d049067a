// launches 1, copies in 2
// One sweep over data of three dimensions: blocks walk along the first one; coefficients are read once for each place.
#include <stdio.h>
#include <string.h>
static double a[37][19][38], b[37][19][38], c[37][19][38];
static void sweep(int l, int m, int n)
{
#pragma scop
  for (int i = 1; i < l - 1; i++)
    for (int j = 1; j < m - 1; j++)
      for (int k = 1; k < n - 1; k++)
        b[i][j][k] = c[i][j][k] * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1] - 6.0 * a[i][j][k]);
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 37; i++)
    for (int j = 0; j < 19; j++)
      for (int k = 0; k < 38; k++)
        a[i][j][k] = i * 3 + j % 5 + k * 0.1, b[i][j][k] = i - j, c[i][j][k] = 0.1 + k % 7;
  sweep(37, 19, 38);
  for (int i = 0; i < 37; i++)
    for (int j = 0; j < 19; j++) {
      unsigned long long all = 0, bits;
      for (int k = 0; k < 38; k++) {
        memcpy(&bits, &b[i][j][k], sizeof bits);
        all = all * 31 + bits;
      }
      printf("%llx\n", all);
    }
  return 0;
}
