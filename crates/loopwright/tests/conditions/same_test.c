/* The same condition, tested again behind a loop. */
#include "conditions.h"
static void f(void) {
  double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] == d[i])
      t = a[i];
    for (int j = 0; j < M; j++)
      out[i][j] = w[j] * b[i];
    for (int j = 0; j < M; j++)
      if (c[i] == d[i])
        out[i][j] += t * w[j];
  }
#pragma endscop
}
