/* Members behind pointers, structures in structures, temporaries declared in and before the region. */
#include <stdio.h>
struct point { double x, y; };
struct body { struct point at, speed; double mass; int cell[2]; };
static struct body bodies[50];
static void step(int n, struct body *restrict b, double dt)
{
  struct point force;
#pragma scop
  for (int i = 0; i < n; i++) {
    force.x = 0;
    force.y = 0;
    for (int j = 0; j < n; j++)
      if (j != i) {
        double dx = b[j].at.x - (b + i)->at.x, dy = b[j].at.y - b[i].at.y;
        struct point g;
        g.x = dx * b[j].mass;
        g.y = dy * b[j].mass;
        force.x += g.x;
        force.y += g.y;
      }
    b[i].speed.x += force.x * dt;
    b[i].speed.y += force.y * dt;
  }
  for (int i = 0; i < n; i++) {
    (*(b + i)).at.x += b[i].speed.x * dt;
    b[i].at.y += b[i].speed.y * dt;
    b[i].cell[0] = i / 2;
    b[i].cell[1] = b[i].cell[0] + 1;
  }
  b->mass = 2 * b->mass;
  for (int i = 0; i + 1 < n; i++) {
    struct body saved = b[i];
    b[i] = b[i + 1];
    b[i + 1] = saved;
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 50; i++) {
    bodies[i].at.x = i * 0.5;
    bodies[i].at.y = (i * 7) % 11;
    bodies[i].mass = 1 + i % 3;
  }
  for (int t = 0; t < 3; t++) step(50, bodies, 0.01);
  for (int i = 0; i < 50; i++)
    printf("%.17g %.17g %.17g %.17g %g %d %d\n", bodies[i].at.x, bodies[i].at.y, bodies[i].speed.x,
           bodies[i].speed.y, bodies[i].mass, bodies[i].cell[0], bodies[i].cell[1]);
  return 0;
}
