void f(int n, double A[n][n], double *x, double *y) {
#pragma scop
  double p[n];
  for (int i = 0; i < n; i++)
    p[i] = x[i] * x[i] + 1;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      A[i][j] = A[i][j] * p[j] + y[j];
#pragma endscop
}
