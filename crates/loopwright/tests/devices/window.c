// launches 1, copies in 2 (516 bytes), copies out 1 (448 bytes)
// Lengths that are differences of parameters.
#include <stdio.h>
static void fir(int n, int taps, const float *restrict h, const float *restrict x, float *restrict y)
{
#pragma scop
  for (int i = 0; i < n - taps + 1; i++) {
    y[i] = 0;
    for (int k = 0; k < taps; k++)
      y[i] += h[k] * x[i + k];
  }
#pragma endscop
}
static float h[9], x[120], y[120];
int main(void)
{
  for (int k = 0; k < 9; k++)
    h[k] = 1.0f / (float)(k + 1);
  for (int i = 0; i < 120; i++)
    x[i] = (float)(i % 14) - 5;
  fir(120, 9, h, x, y);
  for (int i = 0; i < 120; i++)
    printf("%a\n", y[i]);
  return 0;
}
