// launches 1, copies in 2 (
// Rows of a linear array: the last row is not there as a whole, so nothing behind its last element is touched.
#include <stdio.h>
#include <stdlib.h>
static void shifted(int n, int m, double *restrict to, const double *restrict from)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m - 4; j++)
      to[i * m + j + 3] = 2 * from[i * m + j];
#pragma endscop
}
int main(void)
{
  int n = 20, m = 51;
  double *to = malloc((n * m - 1) * sizeof(double)), *from = malloc((n * m - 4) * sizeof(double));
  for (int i = 0; i < n * m - 4; i++)
    from[i] = i % 17 / 3.0;
  for (int i = 0; i < n * m - 1; i++)
    to[i] = -i;
  shifted(n, m, to, from);
  for (int i = 0; i < n * m - 1; i++)
    printf("%a\n", to[i]);
  return 0;
}
