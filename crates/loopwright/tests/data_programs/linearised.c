#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
static void product(int n, int m, int l, double *restrict C, const double *restrict A, const double *restrict B)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      C[i * m + j] = 0;
      for (int k = 0; k < l; k++) C[i * m + j] += A[i * l + k] * *(B + k * m + j);
    }
#pragma endscop
}
static void smooth(size_t n, size_t m, double *restrict u, double *restrict v)
{
#pragma scop
  for (int t = 0; t < 4; t++) {
    for (size_t i = 1; i < n - 1; i++)
      for (size_t j = 1; j < m - 1; j++)
        v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[i * m + j + m] + u[m * i + (j - 1)] + u[i * m + j + 1]);
    for (size_t i = 1; i < n - 1; i++)
      for (size_t j = 1; j < m - 1; j++) u[i * m + j] = v[i * m + j];
  }
#pragma endscop
}
static void cube(int n, int m, int l, float *restrict a)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m + 2; j++)
      for (int k = 0; k < l; k++)
        a[(i * (m + 2) + j) * l + k] = a[(i * (m + 2) + j - 1) * l + k] + a[i * (m + 2) * l + j * l + l - 1 - k];
#pragma endscop
}
static void columns(int n, double *restrict a)
{
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 1; i < n; i++) a[j * n + i] += a[j * n + i - 1] * a[i];
#pragma endscop
}
int main(void)
{
  int n = 37, m = 23, l = 19;
  double *A = malloc(n * l * sizeof *A), *B = malloc(l * m * sizeof *B), *C = malloc(n * m * sizeof *C);
  double *u = malloc(n * m * sizeof *u), *v = malloc(n * m * sizeof *v), *w = malloc(n * n * sizeof *w);
  float *a = malloc(n * (m + 2) * l * sizeof *a);
  for (int i = 0; i < n * l; i++) A[i] = i % 7;
  for (int i = 0; i < l * m; i++) B[i] = i % 5 * 0.5;
  for (int i = 0; i < n * m; i++) u[i] = v[i] = i % 11;
  for (int i = 0; i < n * n; i++) w[i] = i % 3 * 0.25;
  for (int i = 0; i < n * (m + 2) * l; i++) a[i] = i % 13;
  product(n, m, l, C, A, B);
  smooth(n, m, u, v);
  cube(n, m, l, a);
  columns(n, w);
  for (int i = 0; i < n * m; i++) printf("%.17g %.17g\n", C[i], u[i]);
  for (int i = 0; i < n * n; i++) printf("%.17g\n", w[i]);
  for (int i = 0; i < n * (m + 2) * l; i++) printf("%.9g\n", a[i]);
  return 0;
}
