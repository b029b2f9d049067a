/* Members and linearised subscripts that depend on data, loops with bounds from data, unproved ranges. */
#include <stdio.h>
struct item { int next; double weight[3]; struct { double x, y; } at; };
static struct item items[60];
static double grid[900], out[60];
static void walk(int n, int ld, int m, double *restrict a)
{
#pragma scop
  for (int i = 0; i < n; i++) {
    items[items[i].next].weight[i % 3] += items[i].at.x;
    out[i] = items[(items[i].next + 1) % 60].at.y;
  }
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < m; j++) a[i * ld + j] = a[i * ld + j] * 0.5 + out[j];
  for (int i = 0; i < n; i++) {
    struct item t;
    t.at.x = 0;
    for (int k = 0; k < items[i].next % 7; k++) t.at.x += items[k].weight[k % 3] + a[k * ld];
    out[i] += t.at.x;
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 60; i++) {
    items[i].next = (i * 7 + 3) % 60;
    items[i].at.x = i * 0.5;
    items[i].at.y = i % 4;
    for (int k = 0; k < 3; k++) items[i].weight[k] = k;
  }
  for (int i = 0; i < 900; i++) grid[i] = i % 19;
  walk(60, 45, 37, grid);
  walk(40, 10, 37, grid);
  for (int i = 0; i < 60; i++) printf("%.17g %.17g %.17g %.17g\n", out[i], items[i].weight[0], items[i].weight[1], items[i].weight[2]);
  for (int i = 0; i < 900; i++) printf("%.17g\n", grid[i]);
  return 0;
}
