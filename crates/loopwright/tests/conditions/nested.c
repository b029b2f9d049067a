/* Conditions inside of conditions. */
#include "conditions.h"
static void f(void) {
  double s, t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 2) {
      s = a[i];
      if (d[i] > 2)
        t = b[i];
    }
    for (int j = 0; j < M; j++)
      out[i][j] = w[j];
    for (int j = 0; j < M; j++)
      if (c[i] > 4 && d[i] > 4)
        out[i][j] += s * t;
  }
#pragma endscop
}
