/* Rows of different lengths: the product of a sparse matrix and a vector. */
#include "conditions.h"
static void f(void) {
  double sum;
#pragma scop
  for (int i = 0; i < N; i++) {
    sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum = sum + w[k % M];
    for (int j = 0; j < M; j++)
      out[i][j] = sum * w[j];
  }
#pragma endscop
}
