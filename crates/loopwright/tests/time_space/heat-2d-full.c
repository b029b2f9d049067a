// heat-2d, every value has an element.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>
void kernel(int T, int N, double x[restrict N][N], double y[restrict N][N]) {
  double (*A)[N][N] = malloc(sizeof(double[T + 1][N][N]));
#pragma scop
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) A[0][i][j] = x[i][j];
  for (int t = 1; t <= T; t++) {
    for (int i = 0; i < N; i++) { A[t][i][0] = A[t - 1][i][0]; A[t][i][N - 1] = A[t - 1][i][N - 1]; }
    for (int j = 1; j < N - 1; j++) { A[t][0][j] = A[t - 1][0][j]; A[t][N - 1][j] = A[t - 1][N - 1][j]; }
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        A[t][i][j] = 0.125 * (A[t - 1][i + 1][j] - 2.0 * A[t - 1][i][j] + A[t - 1][i - 1][j]) + 0.125 * (A[t - 1][i][j + 1] - 2.0 * A[t - 1][i][j] + A[t - 1][i][j - 1]) + A[t - 1][i][j];
  }
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) y[i][j] = A[T][i][j];
#pragma endscop
  free(A);
}

int main(int argc, char **argv) {
  int T = argc > 1 ? atoi(argv[1]) : 40, N = argc > 2 ? atoi(argv[2]) : 2000;
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
