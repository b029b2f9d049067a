/* A tridiagonal system per line of a grid, rows by pointers. */
#include <stdio.h>
#include <stdlib.h>

static double **new_grid(int rows, int cols) {
  double **g = malloc(rows * sizeof *g);
  for (int i = 0; i < rows; i++)
    g[i] = calloc(cols, sizeof **g);
  return g;
}

static void solve_lines(int lines, int n, double **rhs, double **c, double a, double b) {
#pragma scop
  for (int l = 0; l < lines; l++) {
    c[l][0] = a / b;
    rhs[l][0] = rhs[l][0] / b;
    for (int i = 1; i < n; i++) {
      double m = 1.0 / (b - a * c[l][i - 1]);
      c[l][i] = a * m;
      rhs[l][i] = (rhs[l][i] - a * rhs[l][i - 1]) * m;
    }
    for (int i = n - 2; i >= 0; i--)
      rhs[l][i] -= c[l][i] * rhs[l][i + 1];
  }
#pragma endscop
}

int main(int argc, char **argv) {
  int lines = argc > 1 ? atoi(argv[1]) : 17, n = 50;
  double **rhs = new_grid(lines, n), **c = new_grid(lines, n);
  for (int l = 0; l < lines; l++)
    for (int i = 0; i < n; i++)
      rhs[l][i] = (l * 3 + i * 5) % 11 - 4.0;
  solve_lines(lines, n, rhs, c, -1.0, 2.5);
  double sum = 0;
  for (int l = 0; l < lines; l++)
    for (int i = 0; i < n; i++)
      sum += rhs[l][i] * (i + 1 + l);
  printf("%.9f\n", sum);
  for (int l = 0; l < lines; l++) {
    free(rhs[l]);
    free(c[l]);
  }
  free(rhs);
  free(c);
  return 0;
}
