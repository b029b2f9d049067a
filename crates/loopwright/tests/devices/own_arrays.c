// launches 2, copies in 2 (
// Arrays of constant extents that iterations have for themselves: each thread has one.
#include <stdio.h>
struct pair { int of[2], twice; };
static double a[90][5], b[90];
static int c[90];
static void rows(int n)
{
#pragma scop
  for (int i = 0; i < n; i++) {
    double row[5], square[2][3];
    for (int j = 0; j < 5; j++)
      row[j] = a[i][4 - j];
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 3; k++)
        square[j][k] = row[j + k] * row[k];
    b[i] = 0;
    for (int j = 0; j < 5; j++)
      b[i] += row[j] * square[j / 3][j % 3];
  }
#pragma endscop
}
static void pairs(int n)
{
#pragma scop
  for (int i = 0; i < n; i++) {
    struct pair p;
    p.of[0] = i;
    p.of[1] = c[i];
    p.twice = 2 * p.of[1];
    c[i] = p.of[0] + p.of[1] * p.twice;
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 90; i++) {
    c[i] = i % 11;
    for (int j = 0; j < 5; j++)
      a[i][j] = (i * 3 + j) % 13 / 7.0;
  }
  rows(90);
  pairs(90);
  for (int i = 0; i < 90; i++)
    printf("%a %d\n", b[i], c[i]);
  return 0;
}
