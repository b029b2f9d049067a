// launches 2, copies in 6 (1672 bytes), copies out 3 (1176 bytes)
// Members of structures: of one behind a pointer, of elements of an array, whole rows and parts of rows; the members between them stay.
#include <stdio.h>
struct point { double x; char name; double y; float z[4]; };
struct grid { int n; double h; const double *a; double w[60]; };
static struct point p[50];
static double a[60], b[60];
static void move(int n, const struct grid *restrict g)
{
#pragma scop
  for (int i = 3; i < n; i++) {
    p[i].x = p[i].y + g->h;
    for (int k = 1; k < 3; k++)
      p[i].z[k] += p[i - 3].y;
  }
#pragma endscop
}
static void scale(struct grid g)
{
#pragma scop
  for (int i = 0; i < g.n; i++)
    b[i] = g.h * g.a[i] + g.w[i];
#pragma endscop
}
int main(void)
{
  struct grid g = {57, 0.25, a, {1, 2, 3}};
  for (int i = 0; i < 60; i++)
    a[i] = i % 7 / 3.0, g.w[i] += i;
  for (int i = 0; i < 50; i++) {
    p[i].x = -i, p[i].y = i * 0.7, p[i].name = (char) (i % 100);
    for (int k = 0; k < 4; k++)
      p[i].z[k] = i + k;
  }
  move(48, &g);
  scale(g);
  for (int i = 0; i < 50; i++)
    printf("%a %a %d %a %a %a %a\n", p[i].x, p[i].y, p[i].name, p[i].z[0], p[i].z[1], p[i].z[2], p[i].z[3]);
  for (int i = 0; i < 60; i++)
    printf("%a\n", b[i]);
  return 0;
}
