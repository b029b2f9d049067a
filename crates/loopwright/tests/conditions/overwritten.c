/* A value that is always overwritten before it is read. */
#include "conditions.h"
static void f(void) {
  double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 6)
      t = a[i];
    if (c[i] > 3)
      t = b[i];
    for (int j = 0; j < M; j++)
      if (c[i] > 4)
        out[i][j] = t * w[j];
  }
#pragma endscop
}
