// smith-waterman, every value has an element.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int T, int N, int x[restrict N], int y[restrict N]) {
  int (*H)[N + 1] = malloc(sizeof(int[T + 1][N + 1]));
#pragma scop
  for (int j = 0; j <= N; j++) H[0][j] = 0;
  for (int i = 1; i <= T; i++) {
    H[i][0] = 0;
    for (int j = 1; j <= N; j++)
      H[i][j] = MAX(0, MAX(H[i - 1][j - 1] + (x[i - 1] == x[N - j] ? 3 : -1), MAX(H[i - 1][j] - 2, H[i][j - 1] - 2)));
  }
  for (int j = 1; j <= N; j++) y[j - 1] = H[T][j];
#pragma endscop
  free(H);
}

int main(int argc, char **argv) {
  int T = argc > 1 ? atoi(argv[1]) : 100, N = argc > 2 ? atoi(argv[2]) : 4000000;
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
