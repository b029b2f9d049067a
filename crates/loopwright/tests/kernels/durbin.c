/* The Yule-Walker equations with the Toeplitz matrix of r: Durbin's recursion. */
#include "kernels.h"

#define SIZE_N PICK(43, 120, 400, 2000, 4000)
#define N EXTENT(n, SIZE_N)

static void durbin(int n, VECTOR(r, N), VECTOR(y, N))
{
  DATA next[N];
  DATA alpha, beta, sum;
  int i, k;
#pragma scop
  y[0] = -r[0];
  beta = NUMBER(1.0);
  alpha = -r[0];
  for (k = 1; k < N; k++) {
    beta = (1 - alpha * alpha) * beta;
    sum = NUMBER(0.0);
    for (i = 0; i < k; i++)
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (i = 0; i < k; i++)
      next[i] = y[i] + alpha * y[k - i - 1];
    for (i = 0; i < k; i++)
      y[i] = next[i];
    y[k] = alpha;
  }
#pragma endscop
}

int main(void)
{
  int n = SIZE_N;
  NEW_VECTOR(r, N);
  NEW_VECTOR(y, N);
  for (int i = 0; i < N; i++)
    r[i] = (DATA)(sample(1, i) / (4 * N));
  start();
  durbin(n, r, y);
  if (finished())
    print("y", y, N);
  return 0;
}
