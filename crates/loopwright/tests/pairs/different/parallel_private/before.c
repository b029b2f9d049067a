void f(int n, double A[n][n], double *x) {
#pragma scop
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += A[i][j];
    x[i] = s;
  }
#pragma endscop
}
