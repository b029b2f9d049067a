/* --scheduler pluto --fuse max --target openmp --tile-sizes 7
   Took minutes: the pieces of the domains multiplied. */
#include "values.h"

static unsigned long p0_a0[20];
static unsigned long p0_scalars[1];
static void p0(int n, int m)
{
#pragma scop
  for (int i = (1 >= 1 ? 1 : 1); i <= n + 2 || i <= n; i += 3) {
    for (int j = i; j >= i; j--) {
      for (int k = j; k >= 3; k -= 2) {
        for (int l = k; l < -k + n; l++) {
          if ((l >= (l) / 3) || (4 != n)) {
            p0_a0[0] = p0_a0[i];
            if ((i - 3 >= j - 3) || (!((m) % 3 == 0))) {
              p0_a0[j - 1] = n;
            }
            p0_a0[i - 1] = p0_a0[j - 1];
          }
        }
        for (int l = 0; l < n + 1; l++) {
          p0_a0[(k) / 3 + -1] += p0_a0[(k) / 2 + -1];
          p0_a0[i] = ((p0_a0[i - 1] - p0_a0[i - 1]) * (p0_a0[i - 1] * 9UL));
          p0_a0[i] = p0_a0[(m - 1) / 3 + -1];
        }
      }
    }
  }
#pragma endscop
}

int main(void)
{
  printf("program 0\n");
  printf("run 0\n");
  start_unsigned((void *)p0_a0, 20, 0);
  p0(9, 7);
  print_unsigned((void *)p0_a0, 20, "a0");
  printf("run 1\n");
  start_unsigned((void *)p0_a0, 20, 0);
  p0(17, 20);
  print_unsigned((void *)p0_a0, 20, "a0");
  printf("run 2\n");
  start_unsigned((void *)p0_a0, 20, 0);
  p0(4, 5);
  print_unsigned((void *)p0_a0, 20, "a0");
  printf("run 3\n");
  start_unsigned((void *)p0_a0, 20, 0);
  p0(1, 3);
  print_unsigned((void *)p0_a0, 20, "a0");
  printf("run 4\n");
  start_unsigned((void *)p0_a0, 20, 0);
  p0(0, 0);
  print_unsigned((void *)p0_a0, 20, "a0");
  printf("run 5\n");
  start_unsigned((void *)p0_a0, 20, 0);
  p0(-2, 4);
  print_unsigned((void *)p0_a0, 20, "a0");
  fflush(stdout);
  return 0;
}
