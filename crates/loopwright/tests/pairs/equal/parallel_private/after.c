void f(int n, double A[n][n], double *x) {
  double s;
  int i, j;
#pragma omp parallel for private(s, j)
  for (i = 0; i < n; i++) {
    s = 0;
    for (j = 0; j < n; j++)
      s += A[i][j];
    x[i] = s;
  }
}
