/* --scheduler pluto --fuse smart --target openmp --tile-sizes 7
   "the validity constraints contradict each other": hulls were too large. */
#include <stdio.h>
#include <string.h>

static void show_unsigned(unsigned long value) { printf(" %lu", value); }

static void show_double(double value)
{
  unsigned long bits;
  memcpy(&bits, &value, sizeof bits);
  if (value != value) printf(" nan"); else printf(" %lx", bits);
}

static void start_unsigned(unsigned long *values, long size, long array)
{
  for (long at = 0; at < size; at++) {
    long number = (at * 7 + array * 5 + 3) % 23;
    values[at] = number;
  }
}

static void print_unsigned(const unsigned long *values, long size, const char *name)
{
  printf("%s", name);
  for (long at = 0; at < size; at++) show_unsigned(values[at]);
  printf("\n");
}

static void start_double(double *values, long size, long array)
{
  for (long at = 0; at < size; at++) {
    long number = (at * 7 + array * 5 + 3) % 23;
    values[at] = number / 16.0 - 0.5;
  }
}

static void print_double(const double *values, long size, const char *name)
{
  printf("%s", name);
  for (long at = 0; at < size; at++) show_double(values[at]);
  printf("\n");
}

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
