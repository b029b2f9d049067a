// launches 2, copies in 4 (
// Subscripts that depend on data: the whole array is there. Three dimensions, and two regions in one file.
#include <stdio.h>
static double table[64], out[30][20][10], sum[30];
static int where[30][20][10];
static void gather(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 20; j++)
      for (int k = 0; k < 10; k++)
        out[i][j][k] = table[where[i][j][k]];
#pragma endscop
}
static void add(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 1; j < 19; j++)
      for (int k = 2; k < 8; k++)
        sum[i] += out[i][j][k];
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 64; i++)
    table[i] = i * i % 31 / 7.0;
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 20; j++)
      for (int k = 0; k < 10; k++)
        where[i][j][k] = (i * 200 + j * 10 + k) * 37 % 64;
  gather(30);
  add(30);
  for (int i = 0; i < 30; i++) {
    printf("%a\n", sum[i]);
    for (int k = 0; k < 10; k++)
      printf("%a\n", out[i][i % 20][k]);
  }
  return 0;
}
