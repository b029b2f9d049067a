// launches 1, copies in 6 (11520 bytes), copies out 6 (11520 bytes)
// A part of an array of four dimensions: three of them are one copy.
#include <stdio.h>
static double a[8][9][10][11];
static void part(int n)
{
#pragma scop
  for (int i = 1; i < n; i++)
    for (int j = 2; j < 8; j++)
      for (int k = 1; k < 9; k++)
        for (int l = 3; l < 8; l++)
          a[i][j][k][l] = 2 * a[i][j][k][l] + l;
#pragma endscop
}
int main(void)
{
  double *all = &a[0][0][0][0];
  for (int i = 0; i < 8 * 9 * 10 * 11; i++)
    all[i] = i % 31;
  part(7);
  for (int i = 0; i < 8 * 9 * 10 * 11; i++)
    printf("%a\n", all[i]);
  return 0;
}
