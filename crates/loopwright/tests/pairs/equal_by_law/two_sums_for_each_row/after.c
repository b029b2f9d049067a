void f(int n, double A[n][n], double x[n], double y[n]) {
#pragma scop
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (int j = 0; j < n; j += 2)
      s += A[i][j] * x[j];
    for (int j = 1; j < n; j += 2)
      t += A[i][j] * x[j];
    y[i] = s + t;
  }
#pragma endscop
}
