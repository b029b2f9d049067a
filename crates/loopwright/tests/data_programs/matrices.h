/* What programs about calls and blocks work on: matrices, vectors, counters; how they begin and what they print. */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <math.h>
#define N 24

static double A[N][N], B[N][N], v[N * N];
static int idx[N];
static double g;
static int gc;

static void init(void)
{
  for (int i = 0; i < N; i++) {
    idx[i] = (i * 7) % N;
    for (int j = 0; j < N; j++) {
      A[i][j] = i * 31 + j * 7 % 13;
      B[i][j] = i - j * 3;
      v[i * N + j] = i * j % 17;
    }
  }
  g = 1;
  gc = 0;
}

static void show(void)
{
  double s = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      s = s * 0.999 + A[i][j] * 1.5 + B[i][j] * 2.25 + v[i * N + j];
  printf("%.12g %.12g %d\n", s, g, gc);
}
