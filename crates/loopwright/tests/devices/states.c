// launches 4, copies in 1
// Two states take turns in one array; a state is a launch, and its blocks walk.
#include <stdio.h>
#include <string.h>
static double a[2][35][13][40];
static void sweep(int l, int m, int n, int steps)
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 2; i < l - 2; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < n - 1; k++)
          a[(t + 1) % 2][i][j][k] = 0.2 * (a[t % 2][i - 2][j][k] + a[t % 2][i + 2][j][k] + a[t % 2][i][j - 1][k] + a[t % 2][i][j + 1][k] + a[t % 2][i][j][k - 1]);
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 35; i++)
    for (int j = 0; j < 13; j++)
      for (int k = 0; k < 40; k++)
        a[0][i][j][k] = i * 3 + j % 5 + k * 0.1, a[1][i][j][k] = a[0][i][j][k] / 2;
  sweep(35, 13, 40, 4);
  for (int i = 0; i < 35; i++)
    for (int j = 0; j < 13; j++) {
      unsigned long long all = 0, bits;
      for (int k = 0; k < 40; k++) {
        memcpy(&bits, &a[0][i][j][k], sizeof bits);
        all = all * 31 + bits;
        memcpy(&bits, &a[1][i][j][k], sizeof bits);
        all = all * 31 + bits;
      }
      printf("%llx\n", all);
    }
  return 0;
}
