/* Bounds, conditions and subscripts in memory: read once where nothing writes them, and not where the program
   does not read them. */
#include <stdio.h>
#include <stddef.h>
struct grid { int n, m; unsigned char w; struct grid *next; double v[40][50]; };
struct image { int width, height; };
static struct image image = { 30, 20 };
static int dims[3] = { 7, 9, 11 }, limits[4] = { 5, 6, 7, 8 };
static double A[200], B[40][50], y[60];
static void constant(struct grid *g, int *restrict n, const int *restrict row, int k)
{
#pragma scop
  for (int i = 0; i < g->n; i++)
    for (int j = 0; j < g->m; j++)
      g->v[i][j] = i * j;
  for (int i = 0; i < *n; i++)
    A[i] = i + image.width;
  for (int i = 0; i < row[k]; i++)
    A[i * g->w + row[0]] += 1;
  if (dims[1] > 8)
    for (int i = 0; i < image.height; i++)
      for (int j = 0; j < dims[2]; j++)
        B[i][j] = g->v[i % 3][j] + dims[0];
  for (int j = 0; j < g->next->m; j++)
    y[j] += 2;
#pragma endscop
}
static void written(struct grid *g)
{
#pragma scop
  for (int i = 0; i < g->n; i++) {
    A[i] = i;
    g->n -= 1;
  }
  for (int i = 0; i < limits[1]; i++)
    limits[i % 4] += 1 - i % 2;
#pragma endscop
}
static void copied(struct grid *restrict g, struct grid *restrict h)
{
#pragma scop
  for (int j = 0; j < g->m; j++)
    y[j] += 3;
  *g = *h;
  for (int j = 0; j < g->m; j++)
    y[j] += 4;
#pragma endscop
}
static void shrink(struct grid *g) { g->m -= 2; }
static void called(struct grid *g, int n)
{
#pragma scop
  for (int i = 0; i < n; i++) {
    shrink(g);
    for (int j = 0; j < g->m; j++)
      y[j] += i;
  }
#pragma endscop
}
static void never_read(struct grid *g, const int *none, int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < g->m; j++)
      y[j] += i;
  for (int i = 0; i < n && i < none[0]; i++)
    y[i] += 1;
#pragma endscop
}
int main(void)
{
  static struct grid g, h;
  int n = 100, row[5] = { 1, 2, 50, 4, 5 };
  double sum = 0;
  g.n = 40, g.m = 50, g.w = 2, g.next = &h;
  h.n = 4, h.m = 17;
  constant(&g, &n, row, 2);
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 50; j++)
      sum += g.v[i][j] * (i + 3 * j) + B[i][j] * (2 * i + j);
  for (int i = 0; i < 200; i++)
    sum += A[i] * i;
  written(&g);
  copied(&g, &h);
  called(&g, 3);
  never_read(NULL, NULL, 0);
  never_read(&h, row, 3);
  printf("%.17g %d %d %d\n", sum, g.n, g.m, h.m);
  for (int i = 0; i < 4; i++)
    printf("%d ", limits[i]);
  for (int i = 0; i < 60; i++)
    printf("%g %g ", A[i], y[i]);
  puts("");
  return 0;
}
