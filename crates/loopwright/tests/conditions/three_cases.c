/* Three cases of a value, each in an if of its own. */
#include "conditions.h"
static void f(void) {
  double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] < 3)
      t = a[i];
    if (c[i] >= 3 && c[i] < 7)
      t = b[i];
    if (c[i] >= 7)
      t = a[i] + b[i];
    for (int j = 0; j < M; j++)
      out[i][j] = t * w[j] + j;
  }
#pragma endscop
}
