/* Iterations that are skipped by continue. */
#include "conditions.h"
static void f(void) {
  double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] < 5)
      continue;
    t = a[i] * b[i];
    for (int j = 0; j < M; j++)
      out[i][j] = t + w[j];
  }
#pragma endscop
}
