void f(int n, double A[n][n], double x[n], double y[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += A[i][j] * x[j];
  }
#pragma endscop
}
