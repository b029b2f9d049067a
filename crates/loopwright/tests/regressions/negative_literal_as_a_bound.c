/* The sign of -1 is a part of the literal for the parser; it was refused. */
#include "values.h"

static unsigned long p0_a0[1];
static unsigned long p0_a1[1];
static unsigned long p0_scalars[3];
static void p0(int n, int m)
{
  unsigned long s0 = 1UL;
#pragma scop
  unsigned long t = 1UL;
  for (int i = -1; i >= 0; i--) {
  }
#pragma endscop
}

int main(void)
{
  printf("program 0\n");
  printf("run 0\n");
  start_unsigned((void *)p0_a0, 1, 0);
  start_unsigned((void *)p0_a1, 1, 1);
  p0(9, 7);
  print_unsigned((void *)p0_a0, 1, "a0");
  print_unsigned((void *)p0_a1, 1, "a1");
  printf("run 1\n");
  start_unsigned((void *)p0_a0, 1, 0);
  start_unsigned((void *)p0_a1, 1, 1);
  p0(40, 35);
  print_unsigned((void *)p0_a0, 1, "a0");
  print_unsigned((void *)p0_a1, 1, "a1");
  printf("run 2\n");
  start_unsigned((void *)p0_a0, 1, 0);
  start_unsigned((void *)p0_a1, 1, 1);
  p0(17, 20);
  print_unsigned((void *)p0_a0, 1, "a0");
  print_unsigned((void *)p0_a1, 1, "a1");
  printf("run 3\n");
  start_unsigned((void *)p0_a0, 1, 0);
  start_unsigned((void *)p0_a1, 1, 1);
  p0(4, 5);
  print_unsigned((void *)p0_a0, 1, "a0");
  print_unsigned((void *)p0_a1, 1, "a1");
  printf("run 4\n");
  start_unsigned((void *)p0_a0, 1, 0);
  start_unsigned((void *)p0_a1, 1, 1);
  p0(1, 3);
  print_unsigned((void *)p0_a0, 1, "a0");
  print_unsigned((void *)p0_a1, 1, "a1");
  printf("run 5\n");
  start_unsigned((void *)p0_a0, 1, 0);
  start_unsigned((void *)p0_a1, 1, 1);
  p0(0, 0);
  print_unsigned((void *)p0_a0, 1, "a0");
  print_unsigned((void *)p0_a1, 1, "a1");
  printf("run 6\n");
  start_unsigned((void *)p0_a0, 1, 0);
  start_unsigned((void *)p0_a1, 1, 1);
  p0(-2, 4);
  print_unsigned((void *)p0_a0, 1, "a0");
  print_unsigned((void *)p0_a1, 1, "a1");
  fflush(stdout);
  return 0;
}
