/* The first element that fits. */
#include "conditions.h"
#define LARGE 4194304
static int large[LARGE];
static void f(void) {
  int pos;
  large[3000000] = 1;
#pragma scop
  pos = -1;
  for (int i = 0; i < LARGE; i++)
    if (large[i] == 1) {
      pos = i;
      break;
    }
#pragma endscop
  result[0] = pos;
}
