/* Solutions of the queens problem by masks, one count per first column. */
#include <stdio.h>

#define N 8
static int solutions[N];

static int place(unsigned columns, unsigned left, unsigned right) {
  unsigned all = (1u << N) - 1;
  if (columns == all)
    return 1;
  int count = 0;
  for (unsigned open = all & ~(columns | left | right); open; open &= open - 1) {
    unsigned bit = open & -open;
    count += place(columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

int main(void) {
#pragma scop
  for (int c = 0; c < N; c++) {
    unsigned bit = 1u << c;
    solutions[c] = place(bit, bit << 1, bit >> 1);
  }
#pragma endscop
  int total = 0;
  for (int c = 0; c < N; c++)
    total += solutions[c];
  printf("%d %d\n", solutions[3], total);
  return 0;
}
