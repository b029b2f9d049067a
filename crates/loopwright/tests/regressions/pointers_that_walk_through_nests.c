/* The subscript of an array to which a pointer has walked by a product was printed as 0. */
#include "values.h"

static double a[400], b[400];

static void walk(int n, int m)
{
  double *q = b + 170, *p = a + 3, s = 0;
#pragma scop
  for (int j = 9; j > 1; j--)
    for (int h = n - 3; h < m; h++)
      s += *q++;
  for (int j = 0; j < n; j++) {
    for (int h = 0; h < m; h++)
      *p++ = b[h] + s;
    double *r = &b[j * m];
    for (int h = 0; h < 3; h++)
      r[h] += j;
  }
#pragma endscop
  a[0] = s;
}

int main(void)
{
  static const int runs[][2] = {{5, 4}, {0, 3}, {4, 0}, {1, 1}, {3, 6}};
  for (int run = 0; run < 5; run++) {
    start_double(a, 400, 0);
    start_double(b, 400, 1);
    walk(runs[run][0], runs[run][1]);
    for (int i = 0; i < 400; i++)
      printf("%g %g\n", a[i], b[i]);
  }
  return 0;
}
