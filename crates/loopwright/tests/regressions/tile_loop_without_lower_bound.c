/* --scheduler pluto --fuse smart --target openmp --tile-sizes 7
   "the values of dimension 1 have no lower bound": removing floors lost bounds. */
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

static double p0_a0[4][5];
static double p0_scalars[2];
static void p0(int n, int m)
{
  double s0 = 0.125;
  double s1 = 0.25;
#pragma scop
  for (int i = m - 1; i >= (2) / 3; i--) {
    for (int j = 9; j >= 1; j -= 2) {
      for (int k = 0; k < i + 2; k++) {
        for (int l = (k >= j + 2 ? k : j + 2); l > (j - k) / 2; l -= 2) {
          p0_a0[(i) / 2][(j - 1) / 2] += 0.875;
        }
      }
    }
  }
#pragma endscop
  p0_scalars[0] = s0;
}

int main(void)
{
  printf("program 0\n");
  printf("run 0\n");
  start_double((void *)p0_a0, 20, 0);
  p0(9, 7);
  print_double(&p0_scalars[0], 1, "s0");
  print_double((void *)p0_a0, 20, "a0");
  printf("run 1\n");
  start_double((void *)p0_a0, 20, 0);
  p0(4, 5);
  print_double(&p0_scalars[0], 1, "s0");
  print_double((void *)p0_a0, 20, "a0");
  printf("run 2\n");
  start_double((void *)p0_a0, 20, 0);
  p0(1, 3);
  print_double(&p0_scalars[0], 1, "s0");
  print_double((void *)p0_a0, 20, "a0");
  printf("run 3\n");
  start_double((void *)p0_a0, 20, 0);
  p0(0, 0);
  print_double(&p0_scalars[0], 1, "s0");
  print_double((void *)p0_a0, 20, "a0");
  printf("run 4\n");
  start_double((void *)p0_a0, 20, 0);
  p0(-2, 4);
  print_double(&p0_scalars[0], 1, "s0");
  print_double((void *)p0_a0, 20, "a0");
  fflush(stdout);
  return 0;
}
