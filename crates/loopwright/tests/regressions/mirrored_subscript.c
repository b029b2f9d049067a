/* --scheduler pluto --fuse smart --target openmp --tile-sizes 7
   "the validity constraints contradict each other": hulls were too large. */
#include "values.h"

static unsigned long p0_a0[1][1];
static unsigned long p0_scalars[1];
static void p0(int n, int m)
{
#pragma scop
  for (int i = 0; i >= m; i--) {
    p0_a0[0][i] = 1UL;
    unsigned long u = p0_a0[0][-i + n];
  }
#pragma endscop
}

int main(void)
{
  printf("program 0\n");
  printf("run 0\n");
  start_unsigned((void *)p0_a0, 1, 0);
  p0(9, 7);
  print_unsigned((void *)p0_a0, 1, "a0");
  printf("run 1\n");
  start_unsigned((void *)p0_a0, 1, 0);
  p0(40, 35);
  print_unsigned((void *)p0_a0, 1, "a0");
  printf("run 2\n");
  start_unsigned((void *)p0_a0, 1, 0);
  p0(17, 20);
  print_unsigned((void *)p0_a0, 1, "a0");
  printf("run 3\n");
  start_unsigned((void *)p0_a0, 1, 0);
  p0(4, 5);
  print_unsigned((void *)p0_a0, 1, "a0");
  printf("run 4\n");
  start_unsigned((void *)p0_a0, 1, 0);
  p0(1, 3);
  print_unsigned((void *)p0_a0, 1, "a0");
  printf("run 5\n");
  start_unsigned((void *)p0_a0, 1, 0);
  p0(0, 0);
  print_unsigned((void *)p0_a0, 1, "a0");
  printf("run 6\n");
  start_unsigned((void *)p0_a0, 1, 0);
  p0(-2, 4);
  print_unsigned((void *)p0_a0, 1, "a0");
  fflush(stdout);
  return 0;
}
