/* Each row is put together by itself. */
#include "conditions.h"
static void f(void) {
  int k;
#pragma scop
  for (int i = 0; i < N; i++) {
    k = 0;
    for (int j = 0; j < M; j++)
      if (table[j] > c[i] * 20) {
        out[i][k] = w[j];
        k = k + 1;
      }
    result[i] = k;
  }
#pragma endscop
}
