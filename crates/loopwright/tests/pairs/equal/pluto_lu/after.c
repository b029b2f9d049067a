#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) (((n) < 0) ? -((-(n)) / (d)) : ((n) + (d) - 1) / (d))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))
void f(int n, double A[n][n]) {
  int t1, t2, t3, t4;
  for (t1 = 0; t1 <= n - 2; t1++) {
    for (t2 = t1 + 1; t2 <= n - 1; t2++)
      A[t1][t2] = A[t1][t2] / A[t1][t1];
#pragma omp parallel for private(t4)
    for (t3 = t1 + 1; t3 <= n - 1; t3++)
      for (t4 = t1 + 1; t4 <= n - 1; t4++)
        A[t3][t4] = A[t3][t4] - A[t3][t1] * A[t1][t4];
  }
}
