/* The last value of a row, which the next row does not use. */
#include "conditions.h"
static void f(void) {
  double last;
#pragma scop
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < M; j++) {
      out[i][j] = a[i] * w[j];
      if (c[i] > 0)
        last = out[i][j];
    }
    if (c[i] > 0)
      result[i] = last;
  }
#pragma endscop
}
