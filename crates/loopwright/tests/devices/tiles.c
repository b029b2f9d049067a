// copies in 11 (276516 bytes), copies out 5 (164880 bytes)
// Sums with operands in shared memory: sizes that are no multiples of blocks, a triangle, vectors, sums that end at a loop outside, a batch.
#include <stdio.h>
static void products(int n, int m, int o, double x, double c[n][m], double a[n][o], double b[o][m], double t[n][m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      t[i][j] = 0;
      for (int k = 0; k < o; k++)
        t[i][j] += x * a[i][k] * b[k][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][0] * t[k][j];
#pragma endscop
}
static void update(int n, int m, double x, double c[n][n], double a[n][m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += a[i][k] * x * a[j][k];
#pragma endscop
}
static void vector(int n, int m, float y[n], float a[n][m], float x[m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      y[i] += a[i][k] * x[k];
#pragma endscop
}
static void triangle(int n, int m, double c[n][m], double a[n][n], double b[n][m])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < i; k++)
        c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}
enum { N = 70, M = 75, O = 37 };
static double a[N][O], b[O][M], c[N][M], t[N][M], s[N][N], l[N][N];
static float y[N], f[N][O], v[O];
static void show(int n, double *x)
{
  for (int i = 0; i < n; i++)
    printf("%a\n", x[i]);
}
int main(void)
{
  for (int i = 0; i < N; i++) {
    y[i] = i % 3 / 7.0f;
    for (int k = 0; k < O; k++) {
      a[i][k] = (i + 2 * k) % 5 / 3.0 - 0.5;
      f[i][k] = (float) a[i][k];
    }
    for (int j = 0; j < M; j++)
      c[i][j] = i * j % 7 / 7.0;
    for (int j = 0; j < N; j++) {
      s[i][j] = (i - j) % 4 / 9.0;
      l[i][j] = (3 * i + j) % 8 / 11.0;
    }
  }
  for (int k = 0; k < O; k++) {
    v[k] = k % 9 / 13.0f;
    for (int j = 0; j < M; j++)
      b[k][j] = (3 * k + j) % 11 / 7.0 - 0.3;
  }
  products(N, M, O, 1.5, c, a, b, t);
  show(N * M, &c[0][0]);
  show(N * M, &t[0][0]);
  update(N, O, 1.25, s, a);
  show(N * N, &s[0][0]);
  vector(N, O, y, f, v);
  for (int i = 0; i < N; i++)
    printf("%a\n", y[i]);
  triangle(N, M, c, l, t);
  show(N * M, &c[0][0]);
  return 0;
}
