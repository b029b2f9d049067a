/* A search with a flag. */
#include "conditions.h"
static void f(void) {
  int pos, found;
#pragma scop
  for (int i = 0; i < N; i++) {
    found = 0;
    for (int j = 0; j < M; j++)
      if (table[j] == key[i]) {
        pos = j;
        found = 1;
        break;
      }
    if (found)
      result[i] = pos;
  }
#pragma endscop
}
