/* Whether two arrays are equal. */
#include "conditions.h"
#define LARGE 4194304
static double left[LARGE], right[LARGE];
static void f(void) {
  int equal;
  right[LARGE - 1] = 1;
#pragma scop
  equal = 1;
  for (int i = 0; i < LARGE; i++)
    if (left[i] != right[i]) {
      equal = 0;
      break;
    }
#pragma endscop
  result[0] = equal;
}
