// launches 2, copies in 50 (3400 bytes), copies out 30 (2600 bytes)
// Members of elements of arrays with several dimensions, and of arrays inside of structures: `p[i][j].x`, `t[i].q[j].x`, `t[i].q[j].z[k]`.
#include <stdio.h>
struct point { double x, y; float z[4]; };
struct row { int n; struct point q[6]; };
static struct point p[10][20];
static struct row t[12];
static void move(int n)
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 20; j++)
      p[i][j].x = p[i][j].y + 1;
#pragma endscop
}
static void add(int n)
{
#pragma scop
  for (int i = 2; i < n; i++)
    for (int j = 1; j < 6; j++) {
      t[i].q[j].x += p[i - 2][j].x;
      for (int k = 1; k < 4; k++)
        t[i].q[j].z[k] += t[i].q[j].y;
    }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 200; i++)
    p[i / 20][i % 20].y = i;
  for (int i = 0; i < 72; i++)
    t[i / 6].q[i % 6] = (struct point) {i, 0.3 * i, {i, 1, 2, 3}}, t[i / 6].n = i;
  move(10);
  add(12);
  for (int i = 0; i < 200; i++)
    printf("%a %a\n", p[i / 20][i % 20].x, p[i / 20][i % 20].y);
  for (int i = 0; i < 72; i++) {
    const struct point own = t[i / 6].q[i % 6];
    printf("%d %a %a %a %a %a %a\n", t[i / 6].n, own.x, own.y, own.z[0], own.z[1], own.z[2], own.z[3]);
  }
  return 0;
}
