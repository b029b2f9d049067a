#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))
void f(int n, double A[n][n]) {
#pragma scop
  for (int w = 2; w <= 2 * n - 2; w++) {
#pragma omp parallel for
    for (int i = max(1, w - n + 1); i <= min(n - 1, w - 1); i++)
      A[i][w - i] = A[i - 1][w - i] + A[i][w - i - 1];
  }
#pragma endscop
}
