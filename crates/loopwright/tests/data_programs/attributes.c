/* Attributes behind declarators, in and outside of the region. */
#include <stdio.h>

static float image[24][32] __attribute__((aligned(64))), sums[24] __attribute__((aligned(64))) = {1};
static double weight(int k) __attribute__((const, noinline));

static double weight(int k) {
  return 1.0 / (k + 1);
}

int main(void) {
  int rows __attribute__((unused)) = 24;
  for (int i = 0; i < 24; i++)
    for (int j = 0; j < 32; j++)
      image[i][j] = (i * 5 + j * 3) % 17;
#pragma scop
  for (int i = 0; i < 24; i++) {
    float row[32] __attribute__((aligned(16)));
    for (int j = 0; j < 32; j++)
      row[j] = image[i][j] * weight(j);
    for (int j = 1; j < 32; j++)
      sums[i] += row[j] - row[j - 1];
  }
#pragma endscop
  for (int i = 0; i < 24; i++)
    printf("%.9g\n", sums[i]);
  return 0;
}
