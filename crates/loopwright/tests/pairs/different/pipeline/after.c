void f(int n, int m, double A[n][m]) {
#pragma scop
#pragma omp parallel for schedule(static, 1) ordered(2)
  for (int i = 1; i < n; i++) {
    for (int j = 1; j < m - 1; j++) {
#pragma omp ordered depend(sink: i - 1, j)
      A[i][j] = 0.5 * (A[i - 1][j] + A[i - 1][j + 1]);
#pragma omp ordered depend(source)
    }
  }
#pragma endscop
}
