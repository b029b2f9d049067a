/* What all stencils of the table share: data, a clock, and the printing of all bits of the results and of the seconds.
   A program takes the number of time steps, the extent of the first dimension of its data, and that of the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void fill(double *a, long n)
{
  for (long i = 0; i < n; i++)
    a[i] = (i * 37 + i / 1021) % 101 / 128.0;
}

static unsigned long long sum(unsigned long long all, const double *a, long n)
{
  for (long i = 0; i < n; i++) {
    unsigned long long bits;
    memcpy(&bits, a + i, sizeof bits);
    all = (all ^ bits) * 1099511628211ull;
  }
  return all;
}

#define ELEMENTS(array) ((long)(sizeof(array) / sizeof(double)))

/* What a stencil defines. */
static void prepare(void);
static void kernel(int steps, int n, int m);
static unsigned long long result(void);

int main(int argc, char **argv)
{
  int steps = argc > 1 ? atoi(argv[1]) : 0, n = argc > 2 ? atoi(argv[2]) : 0, m = argc > 3 ? atoi(argv[3]) : 0;
  prepare();
  double start = now();
  kernel(steps, n, m);
  double seconds = now() - start;
  printf("%llx %.6f\n", result(), seconds);
  return 0;
}
