/* A value is clamped at one end or the other, or taken as it is. */
#include "conditions.h"
static void f(void) {
  int t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 7)
      t = 7;
    if (c[i] <= 7)
      t = c[i];
    for (int j = 0; j < M; j++)
      out[i][j] = t * w[j] + out[i][j];
  }
#pragma endscop
}
