/* The bandwidth of the memory by the triad of STREAM: gigabytes in a second, with the reads that writes cause. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N 8000000

static double a[N], b[N], c[N];

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(void)
{
  double least = 1e9;
  for (long run = 0; run < 12; run++) {
    double start = now();
#pragma omp parallel for
    for (long i = 0; i < N; i++)
      a[i] = b[i] + 3.0 * c[i] + run;
    double seconds = now() - start;
    if (run > 1 && seconds < least)
      least = seconds;
  }
  printf("%.3f %d\n", 4 * sizeof(double) * N / least * 1e-9, a[N / 2] > 0);
  return 0;
}
