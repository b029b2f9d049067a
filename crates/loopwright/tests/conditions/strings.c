/* A string is compared with all places of a text until they differ. */
#include "conditions.h"
static void f(void) {
  int equal;
#pragma scop
  for (int i = 0; i < N - 32; i++) {
    equal = 0;
    while (equal < 32 && c[i + equal] == d[equal])
      equal = equal + 1;
    result[i] = equal;
  }
#pragma endscop
}
