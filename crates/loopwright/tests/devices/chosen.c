// launches 1, 
// What the first block and its first thread decide for all, with barriers behind it in the one launch that there is.
#include <stdio.h>
enum { N = 60, M = 90 };
static int c[N];
static double a[N], w[M], out[N][M];
static void choose(void)
{
  double s = 2;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 2)
      s = a[i];
    for (int j = 0; j < M; j++)
      out[i][j] = w[j];
    for (int j = 0; j < M; j++)
      if (c[i] > 4)
        out[i][j] += s;
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < N; i++)
    c[i] = i * 5 % 8, a[i] = i / 3.0;
  for (int j = 0; j < M; j++)
    w[j] = j;
  choose();
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      printf("%a\n", out[i][j]);
  return 0;
}
