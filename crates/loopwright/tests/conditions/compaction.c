/* What passes a condition is put together. */
#include "conditions.h"
static void f(void) {
  int k;
#pragma scop
  k = 0;
  for (int i = 0; i < N; i++)
    if (c[i] > 4) {
      result[k] = d[i];
      k = k + 1;
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      out[i][j] = k * w[j];
#pragma endscop
}
