// one sum over a long loop; its values are integers, so that no order rounds
#include <stdio.h>

static double dot(int n, double a[n], double b[n])
{
  double s;
#pragma scop
  s = 0.0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
#pragma endscop
  return s;
}

static double a[20000], b[20000];

int main(void)
{
  for (int i = 0; i < 20000; i++) {
    a[i] = i % 13 - 6;
    b[i] = i % 7 - 2;
  }
  const int sizes[] = { 0, 31, 257, 20000 };
  for (int i = 0; i < 4; i++)
    printf("%.17g\n", dot(sizes[i], a, b));
  return 0;
}
