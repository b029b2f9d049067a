void f(int n, double A[n][n], double *x, double *y) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = A[i][j] * (x[i] * x[i] + 1) + y[j];
#pragma endscop
}
