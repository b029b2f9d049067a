// launches 1, copies in 1 (24000 bytes), copies out 3 (27050 bytes)
#include <stdio.h>
#include <stdbool.h>
static bool seen[50][60], all[50];
static _Bool wanted = 1;
static double x[50][60];
static void f(int n, int m)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      seen[i][j] = x[i][j];
  for (int i = 0; i < n; i++) {
    all[i] = 256;
    for (int j = 0; j < m; j++)
      all[i] &= seen[i][j] | (wanted && x[i][j] < 0);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (seen[i][j] == all[i])
        x[i][j] = -all[i] + seen[i][j];
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 50; i++)
    for (int j = 0; j < 60; j++)
      x[i][j] = i % 3 == 0 ? 1 + j : (i * j) % 5 - 1;
  f(50, 60);
  for (int i = 0; i < 50; i++)
    for (int j = 0; j < 60; j++)
      printf("%d %d %a\n", seen[i][j], all[i], x[i][j]);
  return 0;
}
