void f(int n, int m, double A[n][m]) {
#pragma scop
  for (int c = 2; c < n + m - 2; c++)
    for (int t = 1; t < n; t++)
      if (c - t >= 1 && c - t < m - 1)
        A[t][c - t] = A[t - 1][c - t - 1] + A[t - 1][c - t] + A[t - 1][c - t + 1];
#pragma endscop
}
