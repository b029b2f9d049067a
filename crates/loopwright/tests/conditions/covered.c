/* Two conditions of which one holds, apart from each other. */
#include "conditions.h"
static void f(void) {
  double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 4)
      t = a[i];
    for (int j = 0; j < M; j++)
      out[i][j] = a[i] * w[j];
    if (!(c[i] > 4))
      t = out[i][0] + 1;
    for (int j = 0; j < M; j++)
      out[i][j] += t;
  }
#pragma endscop
}
