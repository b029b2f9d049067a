/* The game of life on a torus, two boards in turn through pointers. */
#include <stdio.h>
#include <stdlib.h>

typedef unsigned char cell;

typedef struct {
  int width, height;
  cell *now, *then;
} board;

static int wrap(int x, int n) {
  return (x + n) % n;
}

static void step(board *b) {
  int w = b->width, h = b->height;
  cell *now = b->now, *then = b->then;
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int alive = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (dx != 0 || dy != 0)
            alive += now[wrap(y + dy, h) * w + wrap(x + dx, w)];
      then[y * w + x] = alive == 3 || (alive == 2 && now[y * w + x]);
    }
#pragma endscop
  b->now = then;
  b->then = now;
}

int main(void) {
  board b = { 20, 16, NULL, NULL };
  b.now = calloc(b.width * b.height, 1);
  b.then = calloc(b.width * b.height, 1);
  int glider[][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 2, 1 }, { 2, 2 } };
  for (int k = 0; k < 5; k++)
    b.now[glider[k][0] * b.width + glider[k][1]] = 1;
  for (int t = 0; t < 50; t++)
    step(&b);
  int count = 0, place = 0;
  for (int k = 0; k < b.width * b.height; k++)
    if (b.now[k])
      count++, place = place * 31 % 10007 + k;
  printf("%d %d\n", count, place);
  free(b.now);
  free(b.then);
  return 0;
}
