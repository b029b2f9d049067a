/* Work up to the first element that says so. */
#include "conditions.h"
#define LARGE 2097152
static double from[LARGE], to[LARGE];
static void f(void) {
  from[2000000] = -1;
#pragma scop
  for (int i = 0; i < LARGE; i++) {
    if (from[i] < 0)
      break;
    to[i] = (from[i] * 0.5 + 1.0) / (from[i] + 3.0);
  }
#pragma endscop
  result[0] = (int) (to[1999999] * 1000) + (int) to[2000001];
}
