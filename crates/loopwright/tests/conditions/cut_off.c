/* Dynamic programming in a row that is cut off. */
#include "conditions.h"
static void f(void) {
  double best;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (d[i] > 1)
      best = a[i];
    for (int j = 0; j < M; j++)
      if (d[i] > 1)
        out[i][j] = best + w[j];
    if (d[i] > 6)
      best = best * 2;
    for (int j = 1; j < M; j++)
      if (d[i] > 6)
        out[i][j] = out[i][j - 1] + best;
  }
#pragma endscop
}
