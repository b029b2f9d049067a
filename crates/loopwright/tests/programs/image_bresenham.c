/* Lines of whole steps into a raster. */
#include <stdio.h>
#include <stdlib.h>

#define W 40
#define H 30
static char raster[H][W];

static void line(int x0, int y0, int x1, int y1) {
  int dx = abs(x1 - x0), dy = -abs(y1 - y0);
  int sx = x0 < x1 ? 1 : -1, sy = y0 < y1 ? 1 : -1;
  int error = dx + dy;
#pragma scop
  for (;;) {
    raster[y0][x0] = 1;
    if (x0 == x1 && y0 == y1)
      break;
    int twice = 2 * error;
    if (twice >= dy)
      error += dy, x0 += sx;
    if (twice <= dx)
      error += dx, y0 += sy;
  }
#pragma endscop
}

int main(void) {
  for (int k = 0; k < 8; k++)
    line(k * 5, 0, W - 1 - k * 3, H - 1 - k);
  int sum = 0;
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      sum += raster[y][x] * (x + y * 3);
  printf("%d\n", sum);
  return 0;
}
