/* Points go to the nearest of some centres, which move to the means. */
#include <float.h>
#include <stdio.h>

#define POINTS 200
#define CENTRES 5

typedef struct { double x, y; } point;
typedef struct { point sum; int n; } cluster;

static point points[POINTS], centres[CENTRES];
static int owner[POINTS];

static double squared_distance(const point *a, const point *b) {
  double dx = a->x - b->x, dy = a->y - b->y;
  return dx * dx + dy * dy;
}

static void kmeans_step(void) {
  cluster clusters[CENTRES] = { { { 0, 0 }, 0 } };
#pragma scop
  for (int p = 0; p < POINTS; p++) {
    double best = DBL_MAX;
    for (int c = 0; c < CENTRES; c++) {
      double d = squared_distance(&points[p], &centres[c]);
      if (d < best) {
        best = d;
        owner[p] = c;
      }
    }
  }
  for (int p = 0; p < POINTS; p++) {
    clusters[owner[p]].sum.x += points[p].x;
    clusters[owner[p]].sum.y += points[p].y;
    clusters[owner[p]].n++;
  }
  for (int c = 0; c < CENTRES; c++)
    if (clusters[c].n > 0) {
      centres[c].x = clusters[c].sum.x / clusters[c].n;
      centres[c].y = clusters[c].sum.y / clusters[c].n;
    }
#pragma endscop
}

int main(void) {
  for (int p = 0; p < POINTS; p++) {
    points[p].x = (p * 37 % 101) * 0.1 + p % 5 * 10;
    points[p].y = (p * 53 % 97) * 0.1 - p % 5 * 4;
  }
  for (int c = 0; c < CENTRES; c++)
    centres[c] = points[c * 17];
  for (int step = 0; step < 10; step++)
    kmeans_step();
  for (int c = 0; c < CENTRES; c++)
    printf("%.6f %.6f\n", centres[c].x, centres[c].y);
  return 0;
}
