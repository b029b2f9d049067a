void f(int n, int m, double A[n][m], double *out) {
#pragma scop
  double t[n][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = i == 0 ? A[0][j] : t[i - 1][j] + A[i][j];
  for (int j = 0; j < m; j++)
    if (n > 0)
      out[j] = t[n - 1][j];
#pragma endscop
}
