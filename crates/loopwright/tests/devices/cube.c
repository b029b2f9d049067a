// launches 1, copies in 1
// All 27 neighbours: nine columns are in registers, and each thread reads the foremost element of each of them.
#include <stdio.h>
#include <string.h>
static float a[36][21][35], b[36][21][35];
static void sweep(int l, int m, int n)
{
#pragma scop
  for (int i = 0; i < l - 2; i++)
    for (int j = 0; j < m - 2; j++)
      for (int k = 0; k < n - 2; k++)
        b[i][j][k] = a[i][j][k] + a[i][j][k + 1] + a[i][j][k + 2] + a[i][j + 1][k] + a[i][j + 1][k + 1] + a[i][j + 1][k + 2]
          + a[i][j + 2][k] + a[i][j + 2][k + 1] + a[i][j + 2][k + 2]
          + 2.0f * (a[i + 1][j][k] + a[i + 1][j][k + 1] + a[i + 1][j][k + 2] + a[i + 1][j + 1][k] + a[i + 1][j + 1][k + 1]
          + a[i + 1][j + 1][k + 2] + a[i + 1][j + 2][k] + a[i + 1][j + 2][k + 1] + a[i + 1][j + 2][k + 2])
          + a[i + 2][j][k] + a[i + 2][j][k + 1] + a[i + 2][j][k + 2] + a[i + 2][j + 1][k] + a[i + 2][j + 1][k + 1]
          + a[i + 2][j + 1][k + 2] + a[i + 2][j + 2][k] + a[i + 2][j + 2][k + 1] + a[i + 2][j + 2][k + 2];
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 36; i++)
    for (int j = 0; j < 21; j++)
      for (int k = 0; k < 35; k++)
        a[i][j][k] = i * 3 + j % 5 + k * 0.1f, b[i][j][k] = i - j;
  sweep(36, 21, 35);
  for (int i = 0; i < 36; i++)
    for (int j = 0; j < 21; j++) {
      unsigned long long all = 0;
      for (int k = 0; k < 35; k++) {
        unsigned bits;
        memcpy(&bits, &b[i][j][k], sizeof bits);
        all = all * 31 + bits;
      }
      printf("%llx\n", all);
    }
  return 0;
}
