#include <stdio.h>
#include <stdlib.h>
#define H 120
#define W 160
static int image[H][W], gx[H][W], gy[H][W], out[H][W];
void sobel(int threshold) {
#pragma scop
  for (int y = 1; y < H - 1; y++)
    for (int x = 1; x < W - 1; x++) {
      gx[y][x] = image[y - 1][x + 1] - image[y - 1][x - 1] + 2 * (image[y][x + 1] - image[y][x - 1]) + image[y + 1][x + 1] - image[y + 1][x - 1];
      gy[y][x] = image[y + 1][x - 1] - image[y - 1][x - 1] + 2 * (image[y + 1][x] - image[y - 1][x]) + image[y + 1][x + 1] - image[y - 1][x + 1];
      out[y][x] = abs(gx[y][x]) + abs(gy[y][x]);
      if (out[y][x] > threshold)
        out[y][x] = 255;
    }
#pragma endscop
}
int main(void) {
  for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) image[y][x] = (x * 7 + y * 13 + x * y) % 256;
  sobel(200);
  unsigned long sum = 0;
  for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) sum = sum * 31 + out[y][x];
  printf("%lu\n", sum);
}
