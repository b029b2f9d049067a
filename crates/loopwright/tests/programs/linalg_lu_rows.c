/* LU with partial pivoting that exchanges pointers to rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int factor(double **row, int *perm, int n) {
  int swaps = 0;
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(row[i][k]) > fabs(row[p][k]))
        p = i;
    if (row[p][k] == 0)
      return -1;
    if (p != k) {
      double *t = row[p];
      row[p] = row[k];
      row[k] = t;
      int q = perm[p];
      perm[p] = perm[k];
      perm[k] = q;
      swaps++;
    }
#pragma scop
    for (int i = k + 1; i < n; i++) {
      row[i][k] /= row[k][k];
      for (int j = k + 1; j < n; j++)
        row[i][j] -= row[i][k] * row[k][j];
    }
#pragma endscop
  }
  return swaps;
}

int main(void) {
  enum { N = 30 };
  double *row[N];
  int perm[N];
  for (int i = 0; i < N; i++) {
    row[i] = malloc(N * sizeof(double));
    perm[i] = i;
    for (int j = 0; j < N; j++)
      row[i][j] = (i * 7 + j * 3) % 13 - 5 + (i == j) * 0.5;
  }
  int swaps = factor(row, perm, N);
  double det = swaps % 2 ? -1 : 1;
  for (int i = 0; i < N; i++)
    det *= row[i][i] / 4;
  printf("%d %d %.10g\n", swaps, perm[7], det);
  for (int i = 0; i < N; i++)
    free(row[i]);
  return 0;
}
