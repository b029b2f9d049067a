// launches
// A factorization: kernels of one thread between others, in a loop of the host.
#include <stdio.h>
static double A[40][40], b[40], x[40];
static void solve(int n)
{
#pragma scop
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++)
      A[i][k] /= A[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        A[i][j] -= A[i][k] * A[k][j];
  }
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= A[i][j] * x[j];
  }
#pragma endscop
}
int main(void)
{
  for (int i = 0; i < 40; i++) {
    b[i] = i % 7;
    for (int j = 0; j < 40; j++)
      A[i][j] = i == j ? 50 + i : (i * 3 + j * 5) % 11 / 3.0;
  }
  solve(40);
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++)
      printf("%a %a\n", A[i][j], x[i]);
  return 0;
}
