// loops that carry one value and use it in each iteration; no order rounds
#include <stdio.h>

static double sums(int n, double a[n], double b[n])
{
  double s;
#pragma scop
  s = 1.0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    b[i] = s;
  }
#pragma endscop
  return s;
}

static void in_front(int n, int a[n], long b[n])
{
  long s = 7;
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = 2 * s + a[i];
    s += a[i];
  }
#pragma endscop
}

static void recurrence(int n, double a[n], double b[n])
{
#pragma scop
  b[0] = a[0];
  for (int i = 1; i < n; i++)
    b[i] = b[i - 1] + a[i];
#pragma endscop
}

static float largest(int n, float a[n], float b[n])
{
  float m;
#pragma scop
  m = a[0];
  for (int i = 1; i < n; i++) {
    if (a[i] > m)
      m = a[i];
    b[i] = m - a[0];
  }
#pragma endscop
  return m;
}

static void bits(int n, unsigned a[n], unsigned b[n])
{
  unsigned c = 1u;
#pragma scop
  for (int i = 3; i < n; i++) {
    c |= a[i];
    b[i] = c ^ a[i - 1];
  }
#pragma endscop
}

static double a[3000], b[3000];
static int i1[3000];
static long l1[3000];
static unsigned u1[3000], u2[3000];
static float f1[3000], f2[3000];

int main(void)
{
  for (int i = 0; i < 3000; i++) {
    a[i] = i % 13 - 6;
    i1[i] = i % 101 - 50;
    u1[i] = i % 500 == 99 ? 1u << i / 100 : 0u;
    f1[i] = (i * 37) % 8191 / 4.0f;
  }
  const int sizes[] = { 1, 2, 256, 257, 3000 };
  for (int k = 0; k < 5; k++) {
    const int n = sizes[k];
    double s = sums(n, a, b), all = 0;
    for (int i = 0; i < 3000; i++)
      all += (i % 7 + 1) * b[i];
    in_front(n, i1, l1);
    for (int i = 0; i < 3000; i++)
      all += (i % 5 + 1) * (double) l1[i];
    recurrence(n, a, b);
    for (int i = 0; i < 3000; i++)
      all += (i % 3 + 1) * b[i];
    float m = largest(n, f1, f2);
    bits(n, u1, u2);
    for (int i = 0; i < 3000; i++)
      all += f2[i] + u2[i] % 1021;
    printf("%.17g %.17g %.9g\n", s, all, m);
  }
  return 0;
}
