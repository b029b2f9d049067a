/* A loop whose bound is data sets what is used where it has run. */
#include "conditions.h"
static void f(void) {
  double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < c[i]; j++)
      t = a[j] + w[j];
    for (int j = 0; j < M; j++)
      if (c[i] > 0)
        out[i][j] = t * j;
  }
#pragma endscop
}
