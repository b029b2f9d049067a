/* A search that is left early. */
#include "conditions.h"
static void f(void) {
  int pos;
#pragma scop
  for (int i = 0; i < N; i++) {
    pos = -1;
    for (int j = 0; j < M; j++)
      if (table[j] == key[i]) {
        pos = j;
        break;
      }
    result[i] = pos;
  }
#pragma endscop
}
