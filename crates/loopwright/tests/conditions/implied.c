/* A value that is written under a condition and used under a stronger one. */
#include "conditions.h"
static void f(void) {
  double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 3)
      t = a[i] * b[i];
    for (int j = 0; j < M; j++)
      if (c[i] > 5)
        out[i][j] = t + w[j] * j;
  }
#pragma endscop
}
