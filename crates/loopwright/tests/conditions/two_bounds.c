/* Two loops with one bound from data: the second reads what the first has written. */
#include "conditions.h"
static void f(void) {
  double t[16];
#pragma scop
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < M; j++)
      out[i][j] = w[j];
    if (d[i] > 2) {
      for (int j = 0; j < 10; j++)
        t[j] = a[i] * j;
    }
    if (d[i] > 5) {
      for (int j = 0; j < 10; j++)
        out[i][j] += t[j];
    }
  }
#pragma endscop
}
