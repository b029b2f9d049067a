// lcs, every value has an element.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int T, int N, int x[restrict N], int y[restrict N]) {
  int (*L)[N + 1] = malloc(sizeof(int[T + 1][N + 1]));
#pragma scop
  for (int j = 0; j <= N; j++) L[0][j] = 0;
  for (int i = 1; i <= T; i++) {
    L[i][0] = 0;
    for (int j = 1; j <= N; j++)
      L[i][j] = x[(i - 1)] == x[N - j] ? L[i - 1][j - 1] + 1 : MAX(L[i - 1][j], L[i][j - 1]);
  }
  for (int j = 1; j <= N; j++) y[j - 1] = L[T][j];
#pragma endscop
  free(L);
}

int main(int argc, char **argv) {
  int T = argc > 1 ? atoi(argv[1]) : 18000, N = argc > 2 ? atoi(argv[2]) : 18000;
  long size = N;
  int *in = malloc(size * sizeof *in), *out = calloc(size, sizeof *out);
  for (long i = 0; i < size; i++) in[i] = (i * 7 % 13) ;
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
