/* Iterations until escape, per pixel, with an early exit. */
#include <stdio.h>

#define WIDTH 60
#define HEIGHT 24

struct pixel { unsigned short iterations; unsigned char shade; };

static struct pixel image[HEIGHT][WIDTH];

static void render(double x0, double y0, double scale, int limit) {
#pragma scop
  for (int row = 0; row < HEIGHT; row++)
    for (int col = 0; col < WIDTH; col++) {
      double cr = x0 + col * scale, ci = y0 + row * scale * 2;
      double zr = 0, zi = 0;
      int n = 0;
      while (n < limit) {
        double r2 = zr * zr, i2 = zi * zi;
        if (r2 + i2 > 4.0)
          break;
        zi = 2 * zr * zi + ci;
        zr = r2 - i2 + cr;
        n++;
      }
      image[row][col].iterations = n;
      image[row][col].shade = n == limit ? 0 : 255 - n % 256;
    }
#pragma endscop
}

int main(void) {
  render(-2.2, -1.2, 0.05, 200);
  long sum = 0;
  for (int row = 0; row < HEIGHT; row++)
    for (int col = 0; col < WIDTH; col++)
      sum += image[row][col].iterations * (row + 1) + image[row][col].shade;
  printf("%ld %d\n", sum, image[12][40].iterations);
  return 0;
}
