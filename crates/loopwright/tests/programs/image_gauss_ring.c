/* A separable blur that keeps the last rows in a ring of buffers. */
#include <stdio.h>
#include <stdlib.h>

#define TAPS 5
static const int weight[TAPS] = { 1, 4, 6, 4, 1 };

static void blur(int w, int h, const unsigned char *in, unsigned char *out) {
  int (*ring)[w] = malloc(sizeof(int[TAPS][w]));
#pragma scop
  for (int y = 0; y < h; y++) {
    for (int x = 2; x < w - 2; x++) {
      int sum = 0;
      for (int k = 0; k < TAPS; k++)
        sum += weight[k] * in[y * w + x + k - 2];
      ring[y % TAPS][x] = sum;
    }
    if (y >= TAPS - 1)
      for (int x = 2; x < w - 2; x++) {
        int sum = 0;
        for (int k = 0; k < TAPS; k++)
          sum += weight[k] * ring[(y + 1 + k) % TAPS][x];
        out[(y - 2) * w + x] = (sum + 128) >> 8;
      }
  }
#pragma endscop
  free(ring);
}

int main(void) {
  enum { W = 48, H = 30 };
  static unsigned char in[W * H], out[W * H];
  for (int k = 0; k < W * H; k++)
    in[k] = (k * 37 + k / W * 11) % 251;
  blur(W, H, in, out);
  unsigned sum = 0;
  for (int k = 0; k < W * H; k++)
    sum = sum * 33 + out[k];
  printf("%u\n", sum);
  return 0;
}
