/* Macros of system headers stand in lines of the region: the preprocessor breaks these lines. */
#include <float.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double least[20], data[20][30];
static int found[20];

static long now(const void *first, const void *second) {
  return first == second ? RAND_MAX : 7;
}

int main(void) {
  long start = now(&least, NULL);
  double second = (double)(clock() - clock()) / CLOCKS_PER_SEC;
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 30; j++)
      data[i][j] = (i * 7 + j * 11) % 31 - 5.5;
#pragma scop
  for (int i = 0; i < 20; i++) {
    least[i] = DBL_MAX;
    found[i] = EOF;
    for (int j = 0; j < 30; j++) {
      bool better = data[i][j] < least[i] ? true : false;
      if (better == true) {
        least[i] = data[i][j];
        found[i] = j < INT_MAX ? j : EXIT_FAILURE;
      }
    }
  }
#pragma endscop
  for (int i = 0; i < 20; i++)
    printf("%g %d\n", least[i], found[i]);
  return start == 7 && second < 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
