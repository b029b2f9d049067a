// launches 1, copies in 1 (6400 bytes), copies out 1 (6080 bytes)
// Statements with different borders share loops, which are generated in pieces: the last value of one is the first of the next, on one thread.
#include <stdio.h>
static float a[40][40], b[40][40];
static void step(int n)
{
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
  for (int i = 1; i < n - 1; i++) {
    b[i][0] = b[i][1];
    b[i][n - 1] = b[i][n - 2];
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++)
      a[i][j] = (i * 7 + j * 3) % 20;
  step(40);
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++)
      printf("%a\n", b[i][j]);
  return 0;
}
