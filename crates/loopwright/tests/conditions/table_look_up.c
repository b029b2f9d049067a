/* A value from a table is used where it is valid. */
#include "conditions.h"
static void f(void) {
  int t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (key[i] < M)
      t = table[key[i]];
    for (int j = 0; j < M; j++)
      if (key[i] < M)
        out[i][j] = t * w[j];
  }
#pragma endscop
}
