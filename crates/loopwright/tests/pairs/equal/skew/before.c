void f(int n, int m, double A[n][m]) {
#pragma scop
  for (int t = 1; t < n; t++)
    for (int i = 1; i < m - 1; i++)
      A[t][i] = A[t - 1][i - 1] + A[t - 1][i] + A[t - 1][i + 1];
#pragma endscop
}
