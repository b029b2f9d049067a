// wave-2d, every value has an element.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>
void kernel(int T, int N, double x[restrict N][N], double y[restrict N][N]) {
  double (*A)[N][N] = malloc(sizeof(double[T + 2][N][N]));
#pragma scop
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) { A[0][i][j] = x[i][j]; A[1][i][j] = x[i][j]; }
  for (int t = 2; t <= T + 1; t++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        if (i == 0 || i == N - 1 || j == 0 || j == N - 1)
          A[t][i][j] = A[t - 1][i][j];
        else
          A[t][i][j] = 2 * A[t - 1][i][j] - A[t - 2][i][j] + 0.1 * (A[t - 1][i - 1][j] + A[t - 1][i + 1][j] + A[t - 1][i][j - 1] + A[t - 1][i][j + 1] - 4 * A[t - 1][i][j]);
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) y[i][j] = A[T + 1][i][j];
#pragma endscop
  free(A);
}

int main(int argc, char **argv) {
  int T = argc > 1 ? atoi(argv[1]) : 45, N = argc > 2 ? atoi(argv[2]) : 1600;
  long size = (long)N * N;
  double *in = malloc(size * sizeof *in), *out = calloc(size, sizeof *out);
  for (long i = 0; i < size; i++) in[i] = (i * 7 % 13) / 8.0;
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  kernel(T, N, (void *)in, (void *)out);
  clock_gettime(CLOCK_MONOTONIC, &b);
  double sum = 0;
  for (long i = 0; i < size; i++) sum += out[i] * (i % 17);
  long kilobytes = 0;
  char line[256];
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (strncmp(line, "VmHWM:", 6) == 0) kilobytes = atol(line + 6);
  printf("%.4f %ld %.17g\n", b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) * 1e-9, kilobytes / 1024, sum);
}
