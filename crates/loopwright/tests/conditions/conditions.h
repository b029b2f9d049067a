/* What the programs of this folder have in common: data, a run of `f`, its time and a sum of its results. */
#include <stdio.h>
#include <time.h>
#ifndef N
#define N 2000
#endif
#define M 256
static int c[N], d[N], key[N], result[N], table[M], start[N + 1];
static double a[N], b[N], w[M], out[N][M];
static void f(void);
int main(void) {
  unsigned x = 7;
  for (int i = 0; i < N; i++) {
    x = x * 1103515245u + 12345u;
    c[i] = x / 65536 % 10;
    x = x * 1103515245u + 12345u;
    d[i] = x / 65536 % 10;
    key[i] = (i * 37 + 11) % (M + 20);
    start[i + 1] = start[i] + c[i];
    a[i] = i % 17 + 1;
    b[i] = i % 13 - 6;
  }
  for (int j = 0; j < M; j++) {
    table[j] = j * 7 % M;
    w[j] = j % 11;
  }
  struct timespec before, after;
  f(); /* threads are started, and memory is there */
  clock_gettime(CLOCK_MONOTONIC, &before);
  for (int times = 0; times < 20; times++)
    f();
  clock_gettime(CLOCK_MONOTONIC, &after);
  double sum = 0;
  for (int i = 0; i < N; i++) {
    sum += result[i] * (i % 7 + 1.0);
    for (int j = 0; j < M; j++)
      sum += out[i][j] * ((i + 3 * j) % 5 + 1);
  }
  printf("%.17g\n", sum);
  fprintf(stderr, "%.9f\n", after.tv_sec - before.tv_sec + 1e-9 * (after.tv_nsec - before.tv_nsec));
  return 0;
}
