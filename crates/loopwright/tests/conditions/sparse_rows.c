/* Rows that have elements at all are scaled. */
#include "conditions.h"
static void f(void) {
  double scale;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] != 0)
      scale = 1 / a[i];
    for (int j = 0; j < M; j++)
      out[i][j] = w[j];
    for (int j = 0; j < M; j++)
      if (c[i] != 0)
        out[i][j] = out[i][j] * scale;
  }
#pragma endscop
}
