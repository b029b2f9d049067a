/* Pointers that the region sets to rows, elements and structures, and chains of them. */
#include <stdio.h>
#include <stdlib.h>
struct cell { double value; int count[2]; };
static double A[40][30], B[40][30];
static struct cell cells[40];
static void rows(int n, int m)
{
  double *above;
#pragma scop
  for (int t = 0; t < 3; t++) {
    for (int i = 1; i < n; i++) {
      double *row = A[i];
      above = &A[i - 1][0];
      const double *next = row + 1;
      for (int j = 0; j < m - 1; j++) row[j] += above[j] * 0.5 + *(next + j) - B[i][j];
    }
    for (int i = 0; i < n; i++) {
      double *row = &B[n - 1 - i][1], *first = row - 1;
      for (int j = 0; j < m - 1; j++) {
        row[j] = first[j] + A[i][j];
        *first = t;
      }
    }
    for (int i = 0; i < n; i++) {
      struct cell *c = cells + i;
      c->value += A[i][0];
      c->count[1] = i + t;
      (*c).count[0] = c->count[1] + 1;
    }
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 30; j++) {
      A[i][j] = (i * 3 + j) % 7;
      B[i][j] = (i + j * 5) % 11 * 0.25;
    }
  rows(40, 30);
  for (int i = 0; i < 40; i++) {
    for (int j = 0; j < 30; j++) printf("%.17g %.17g\n", A[i][j], B[i][j]);
    printf("%.17g %d %d\n", cells[i].value, cells[i].count[0], cells[i].count[1]);
  }
  return 0;
}
