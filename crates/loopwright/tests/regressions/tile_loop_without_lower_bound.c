/* --scheduler pluto --fuse smart --target openmp --tile-sizes 7
   "the values of dimension 1 have no lower bound": removing floors lost bounds. */
#include "values.h"

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
