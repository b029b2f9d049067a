// sums, products, extrema and bits of integers and fractions; no order rounds
#include <stdio.h>

static double largest(int n, double a[n])
{
  double m;
#pragma scop
  m = a[0];
  for (int i = 1; i < n; i++)
    if (a[i] > m)
      m = a[i];
#pragma endscop
  return m;
}

static int smallest(int n, int a[n])
{
  int m = 1000000;
#pragma scop
  for (int i = 0; i < n; i++)
    m = a[i] < m ? a[i] : m;
#pragma endscop
  return m;
}

static long total(int n, long a[n], long b[n])
{
  long c = 5;
#pragma scop
  for (int i = 0; i < n; i++)
    c -= a[i] * b[i];
#pragma endscop
  return c;
}

static unsigned bits(int n, unsigned a[n])
{
  unsigned c = 12345u;
#pragma scop
  for (int i = 0; i < n; i++)
    c ^= a[i];
#pragma endscop
  return c;
}

static unsigned common(int n, unsigned a[n])
{
  unsigned c = 4294967295u;
#pragma scop
  for (int i = 0; i < n; i++)
    c &= a[i];
#pragma endscop
  return c;
}

static unsigned united(int n, unsigned a[n])
{
  unsigned c = 0u;
#pragma scop
  for (int i = 0; i < n; i++)
    c |= a[i];
#pragma endscop
  return c;
}

static float product(int n, float a[n])
{
  float p;
#pragma scop
  p = 3.0f;
  for (int i = 0; i < n; i++)
    p *= a[i];
#pragma endscop
  return p;
}

static double squares(int n, int m, double A[n][m])
{
  double s;
#pragma scop
  s = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      s += A[i][j] * A[i][j];
#pragma endscop
  return s;
}

static void steps(int n, int m, double A[n][m], double r[n])
{
  double s;
#pragma scop
  for (int k = 1; k < n; k++) {
    s = 0.0;
    for (int i = k; i < m; i++)
      s += A[k][i] - r[k - 1];
    r[k] = s - 2.0;
  }
#pragma endscop
}

static void means(int n, int m, double A[n][m], double y[n])
{
#pragma scop
  for (int i = 0; i < n; i++) {
    double s = 0.0;
    for (int j = 0; j < m; j++)
      s += A[i][j];
    y[i] = s / 4.0;
  }
#pragma endscop
}

static double a[700], A[40][50], r[40], y[40];
static int i1[700];
static long l1[700], l2[700];
static unsigned u[700];
static float f[700];

int main(void)
{
  for (int i = 0; i < 700; i++) {
    a[i] = (i * 37) % 8191 / 4.0;
    i1[i] = (i * 91) % 7001 - 300;
    l1[i] = i % 101 - 50;
    l2[i] = i * 3 % 55;
    u[i] = (unsigned) i * 2654435761u | 4u;
    f[i] = i % 300 == 7 ? 2.0f : i % 300 == 9 ? -0.5f : 1.0f;
  }
  for (int i = 0; i < 40; i++) {
    r[i] = 1.0;
    for (int j = 0; j < 50; j++)
      A[i][j] = (i * j) % 5 - 2;
  }
  const int sizes[] = { 1, 700 };
  for (int k = 0; k < 2; k++) {
    const int n = sizes[k];
    printf("%.17g %d %ld\n", largest(n, a), smallest(n, i1), total(n, l1, l2));
    printf("%u %u %u %.9g\n", bits(n, u), common(n, u), united(n, u), product(n, f));
  }
  printf("%.17g\n", squares(40, 50, A));
  steps(6, 50, A, r);
  means(40, 50, A, y);
  for (int i = 0; i < 40; i++)
    printf("%.17g %.17g\n", r[i], y[i]);
  return 0;
}
