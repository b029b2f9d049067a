/* Constants that the region declares, read in places that are copied as text. */
#include <stdio.h>

static double total[240], table[12];

int main(void) {
  for (int m = 0; m < 12; m++)
    table[m] = m * 0.5;
#pragma scop
  const short first = 3;
  const int last = 200;
  for (int y = first; y <= last; y++) {
    const unsigned step = 2;
    char z = y % 3;
    for (char m = 0; m < 12; m++) {
      if (y == last && m == 11 || m % step == 1)
        continue;
      total[y] += table[m] + z + first;
    }
  }
#pragma endscop
  for (int y = 0; y < 240; y++)
    printf("%g\n", total[y]);
  return 0;
}
