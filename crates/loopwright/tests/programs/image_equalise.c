/* Equalised histogram: counts, running sums, a table, and the picture through it. */
#include <stdint.h>
#include <stdio.h>

typedef struct {
  size_t width, height;
  uint8_t *pixels;
} picture;

static void equalise(picture *p) {
  uint32_t count[256] = { 0 }, running[256];
  uint8_t map[256];
  size_t n = p->width * p->height;
  uint8_t *px = p->pixels;
#pragma scop
  for (size_t i = 0; i < n; i++)
    count[px[i]]++;
  running[0] = count[0];
  for (int v = 1; v < 256; v++)
    running[v] = running[v - 1] + count[v];
  for (int v = 0; v < 256; v++)
    map[v] = (uint8_t)(255u * running[v] / n);
  for (size_t i = 0; i < n; i++)
    px[i] = map[px[i]];
#pragma endscop
}

int main(void) {
  static uint8_t pixels[40 * 30];
  picture p = { 40, 30, pixels };
  for (int i = 0; i < 1200; i++)
    pixels[i] = 60 + i * i % 71;
  equalise(&p);
  unsigned sum = 0;
  for (int i = 0; i < 1200; i++)
    sum = sum * 31 + pixels[i];
  printf("%u %d\n", sum, pixels[17]);
  return 0;
}
